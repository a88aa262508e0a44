// What people do to sessions away from the lists: the trash, the archive, copies,
// the journal, and who may ask.

import type { Page } from '@playwright/test';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serve, type Server } from './server';
import { enter, expect, open, shoot, test as base, violations } from './world';

const test = base.extend<{ bare: Server }>({
  bare: async ({ page }, use) => {
    const server = await serve(empty);
    await use(server);
    await page.goto('about:blank');
    await server.stop();
  },
});

const title = 'try-covering-index';

const projects = (server: Server): string =>
  join(server.home, '.cache', 'sesskeep', 'demo', 'home', 'projects');

/** empty is a home without a session. */
async function empty(claude: string): Promise<void> {
  await mkdir(join(claude, 'projects'), { recursive: true });
}

async function files(server: Server): Promise<string[]> {
  const all = await readdir(projects(server), { recursive: true });
  return all.filter((f) => f.endsWith('.jsonl'));
}

test('the trash gives back, and deletes for ever only what was named @short', async ({
  page,
  own,
}) => {
  const before = (await files(own)).length;
  await own.command('session', 'trash', 'd62e411e');
  await enter(page, own);
  await open(page, own, '/trash');
  await shoot(page, 'trash-full');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('The trash is empty.')).toBeVisible();
  expect((await files(own)).length).toBe(before);

  await own.command('session', 'trash', '--force', 'd62e411e');
  await page.reload();
  await page.getByRole('button', { name: 'Delete forever…' }).click();
  const sure = page.getByRole('textbox', { name: /cannot be undone/ });
  const last = page.getByRole('button', { name: 'Delete forever', exact: true });
  await expect(sure).toBeFocused();
  await sure.fill('d62f');
  await expect(last).toBeDisabled();
  await sure.press('Enter');
  await expect(page.getByText(title)).toBeVisible();
  await sure.fill('d62e');
  await shoot(page, 'trash-sure');
  expect(await violations(page)).toEqual([]);
  await last.click();
  await expect(page.getByText('The trash is empty.')).toBeVisible();
  expect((await own.command('trash', 'ls', '--json')).includes('d62e411e')).toBe(false);
});

test('what is archived comes back, and can be archived again @short', async ({ page, own }) => {
  await own.command('session', 'archive', 'd62e411e');
  await enter(page, own);
  await open(page, own, '/archive');
  await expect(page.getByRole('link', { name: title })).toBeVisible();
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByText('Nothing is archived.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: title })).toBeVisible();
});

test('the journal lists what was done and undoes it @short', async ({ page, own }) => {
  await own.command('session', 'rename', 'd62e411e', 'Another name');
  await own.command('session', 'trash', 'd62e411e');
  await enter(page, own);
  await open(page, own, '/activity');
  await expect(page.getByText('Moved to the trash')).toBeVisible();
  await shoot(page, 'activity-full');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo trash, number 2' }).click();
  await expect(page.getByText('takes back 2')).toBeVisible();
  await expect(page.getByText('undone')).toHaveCount(1);
  expect((await files(own)).some((f) => f.includes('d62e411e'))).toBe(true);
});

test('what expires is kept, and what is gone is put back @short', async ({ page, own }) => {
  await enter(page, own);
  await open(page, own, '/kept');
  await expect(page.getByText('! not kept').first()).toBeVisible();
  await page.getByRole('button', { name: 'Keep now' }).click();
  await expect(page.getByText('✓ kept').first()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('definition').filter({ hasText: '100 %' })).toBeVisible();
  await shoot(page, 'kept-full');
  expect(await violations(page)).toEqual([]);

  const gone = (await files(own)).find((f) => f.includes('d62e411e')) ?? '';
  const file = join(projects(own), gone);
  const before = await readFile(file);
  const lost = async (): Promise<void> => {
    await rm(file);
    await expect
      .poll(async () => {
        await page.reload();
        return page.getByRole('button', { name: 'Put it back' }).count();
      })
      .toBe(1);
  };
  await lost();
  await page.getByRole('button', { name: 'Put it back' }).click();
  await expect(page.getByText(/Put back \d+ file/)).toBeVisible();
  expect(await readFile(file)).toEqual(before);

  // The page of such a session says since when it is gone, and puts it back too.
  await open(page, own, '/s/d62e411e');
  await lost();
  await expect(page.getByText(/Claude Code deleted this transcript, noticed 20/)).toBeVisible();
  await shoot(page, 'conversation-gone');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Put it back' }).click();
  await expect(page.getByText(/Put back \d+ file/)).toBeVisible();
  await expect(page.getByText(/Claude Code deleted this transcript/)).toBeHidden();
  expect(await readFile(file)).toEqual(before);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(/Claude Code deleted this transcript/)).toBeVisible();
});

test('a device that is revoked is refused at once @short', async ({ page, own }) => {
  const made = JSON.parse(
    await own.command('token', 'create', '--role', 'read', '--name', 'a phone', '--json'),
  ) as { token: string };
  const asks = async (): Promise<number> =>
    (
      await fetch(`${own.url}/api/v1/sessions/count`, {
        headers: { Authorization: `Bearer ${made.token}` },
      })
    ).status;
  expect(await asks()).toBe(200);
  await enter(page, own);
  await open(page, own, '/settings');
  await shoot(page, 'settings-full');
  await page.getByRole('button', { name: 'Revoke a phone…' }).click();
  await page.getByRole('button', { name: 'Revoke a phone', exact: true }).click();
  await expect(page.getByText('a phone is refused from now on.')).toBeVisible();
  expect(await asks()).toBe(401);
});

test('appearance is kept in the browser @short', async ({ page, demo }) => {
  await enter(page, demo);
  await open(page, demo, '/settings');
  await page.getByRole('radio', { name: 'light' }).check();
  await page.getByRole('radio', { name: '130 %' }).check();
  await page.getByRole('checkbox', { name: /Single-letter shortcuts/ }).uncheck();
  await page.reload();
  await expect(page.getByRole('radio', { name: 'light' })).toBeChecked();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  const fits = await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight);
  expect(fits, 'the frame keeps its size').toBe(true);
  await page.keyboard.press('l');
  await expect(page).toHaveURL(/settings/);
});

const pages = [
  '/',
  '/projects',
  '/sessions',
  '/search?q=half',
  '/live',
  '/usage',
  '/archive',
  '/trash',
  '/kept',
  '/storage',
  '/activity',
  '/doctor',
  '/settings',
];

for (const theme of ['dark', 'light'] as const) {
  test(`pages of a home without sessions: ${theme}`, async ({ page, bare }) => {
    await look(page, bare, theme, 'empty');
  });

  test(`pages that cannot be read: ${theme}`, async ({ page, demo }) => {
    await enter(page, demo);
    await page.route('**/api/v1/**', (route) => {
      const url = route.request().url();
      return url.includes('/events')
        ? route.continue()
        : route.fulfill({
            status: 500,
            contentType: 'application/problem+json',
            body: JSON.stringify({
              status: 500,
              code: 'failed',
              detail: 'the disk is full',
              hint: 'make room',
            }),
          });
    });
    for (const path of pages.filter((p) => p !== '/settings')) {
      await open(page, demo, path);
      await expect(page.getByText('The disk is full.').first()).toBeVisible();
      await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible();
    }
    await look(page, demo, theme, 'error');
  });
}

async function look(
  page: Page,
  server: Server,
  theme: 'dark' | 'light',
  name: string,
): Promise<void> {
  test.setTimeout(180_000);
  await page.emulateMedia({ colorScheme: theme });
  if (name === 'empty') await enter(page, server);
  for (const [w, h] of [
    [1440, 900],
    [1024, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width: w, height: h });
    for (const path of pages) {
      await open(page, server, path);
      await shoot(page, `${path.slice(1).split('?')[0] || 'home'}-${name}-${theme}-${w}`);
      expect.soft(await violations(page), `${path} ${w}`).toEqual([]);
    }
  }
}
