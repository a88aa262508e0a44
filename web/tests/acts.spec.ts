// What the pages do beyond showing: each deed says what it would do, does it, and
// takes it back.

import { spawn } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projects, think, wait } from './demo';
import { binary, serve, type Server } from './server';
import { enter, expect, open, settled, shoot, test, violations } from './world';

const damaged = 'acec907e-6bae-4ca2-a72f-1d505050b5dc'; // of the demo

test('a check finds the damage, a repair shows its plan, mends and is taken back @short', async ({
  page,
  own,
}) => {
  const name = (await readdir(projects(own), { recursive: true })).find((f) =>
    f.endsWith(`${damaged}.jsonl`),
  );
  const file = join(projects(own), name ?? '');
  const before = await readFile(file);
  await enter(page, own);
  await open(page, own, '/doctor');
  await page.getByRole('button', { name: 'Check all sessions' }).click();
  const found = page.getByRole('list', { name: 'Damage' });
  await expect(found).toContainText('several records share a line');
  await expect(
    page.getByText('Claude Code resumes 22 wholly, 1 in part, 1 not at all'),
  ).toBeVisible();
  await shoot(page, 'doctor-checked');
  expect(await violations(page)).toEqual([]);

  await found.getByRole('button', { name: 'Repair acec907e…' }).click();
  const plan = page.getByRole('dialog', { name: 'Repair' });
  await expect(plan).toContainText('NUL bytes are left out');
  await shoot(page, 'doctor-plan');
  expect(await violations(page)).toEqual([]);
  expect(await readFile(file)).toEqual(before); // a plan changes nothing
  await plan.getByRole('button', { name: 'Cancel' }).click();
  await found.getByRole('button', { name: 'Repair acec907e…' }).click();
  await plan.getByRole('button', { name: 'Repair 1 file' }).click();
  await expect(page.getByText('Repaired 1 file.')).toBeVisible();
  await expect(found).not.toContainText('several records share a line');
  expect((await readFile(file)).equals(before)).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(found).toContainText('several records share a line');
  expect((await readFile(file)).equals(before)).toBe(true);
});

/** empty counts directories that the client left behind. */
async function empty(server: Server): Promise<number> {
  return (await readdir(join(projects(server), '..', 'session-env')).catch(() => [])).length;
}

test('what nothing needs goes to the trash, with the reason, and comes back @short', async ({
  page,
  own,
}) => {
  const before = await empty(own);
  expect(before).toBeGreaterThan(0);
  await enter(page, own);
  await open(page, own, '/storage');
  const list = page.getByRole('list', { name: 'Can be removed' });
  await expect(list).toContainText('Safe to remove: The client makes one for every session');
  await list.getByRole('button', { name: /^Remove: Empty directories/ }).click();
  await expect(list.getByRole('status')).toContainText('would move to the trash');
  await shoot(page, 'storage-plan');
  expect(await violations(page)).toEqual([]);
  await list.getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByText(/^Moved \d+ to the trash\.$/)).toBeVisible();
  await expect(page.getByText('Nothing to remove.')).toBeVisible();
  expect(await empty(own)).toBeLessThan(before);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone.')).toBeVisible();
  expect(await empty(own)).toBe(before);
});

test('copies are made and verified as jobs, and one that changed is found @short', async ({
  page,
  own,
}) => {
  await enter(page, own);
  await open(page, own, '/kept');
  await page.getByRole('button', { name: 'Keep now' }).click();
  await expect(page.getByText(/^Copied \d+ files/)).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Verify copies' }).click();
  await expect(page.getByText(/verified, .*: each is what was written/)).toBeVisible();
  await shoot(page, 'kept-verified');
  expect(await violations(page)).toEqual([]);

  const vault = join(own.home, '.cache', 'sesskeep', 'demo', 'data', 'vault');
  const pack = (await readdir(vault, { recursive: true, withFileTypes: true })).filter(
    (f) => f.isFile() && f.name === 'frames',
  );
  expect(pack.length).toBeGreaterThan(0);
  for (const f of pack) {
    const path = join(f.parentPath, f.name);
    const bytes = await readFile(path);
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    await writeFile(path, bytes);
  }
  await page.getByRole('button', { name: 'Verify copies' }).click();
  await expect(page.getByText(/✗ \d+ cop(y|ies) not as written/)).toBeVisible();
});

test('how long the client keeps transcripts is set, and set back @short', async ({ page, own }) => {
  const settings = join(projects(own), '..', 'settings.json');
  const before = await readFile(settings, 'utf8');
  await enter(page, own);
  await open(page, own, '/settings');
  const days = page.getByLabel(/Transcripts are deleted after/);
  await expect(days).toHaveValue('30');
  await days.selectOption('365');
  await expect(page.getByText('Claude Code keeps transcripts for 365 days.')).toBeVisible();
  await expect(page.getByText(/Set by .*settings\.json/)).toBeVisible();
  expect(await readFile(settings, 'utf8')).toContain('"cleanupPeriodDays": 365');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(days).toHaveValue('30');
  expect(await readFile(settings, 'utf8')).toBe(before);
});

test('a phone is paired by its code, and comparing numbers @short', async ({ page, own }) => {
  await page.goto(`${own.url}/ui/pair`);
  await expect(page.getByText('Run sesskeep pair on the machine')).toBeVisible();
  await shoot(page, 'pair');
  expect(await violations(page)).toEqual([]);
  const code = page.getByLabel('Code');
  await code.fill('no-such-code');
  await page.getByRole('button', { name: 'Pair' }).click();
  await expect(page.getByRole('alert')).toContainText(
    'No such pairing, or it is closed. Start again: "sesskeep pair" shows another code',
  );
  await shoot(page, 'pair-wrong');
  expect(await violations(page)).toEqual([]);

  const env = { PATH: process.env['PATH'], HOME: own.home, TZ: 'UTC' };
  const args = ['--demo', 'pair', '--url', 'https://laptop.example', '--name', 'a phone'];
  const pair = spawn(await binary(), args, { env });
  let said = '';
  pair.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    await expect.poll(() => said).toMatch(/\/ui\/pair#\S+/);
    expect(said).toContain('█'); // what a camera reads
    const link = /https:\/\/\S+\/ui\/pair#(\S+)/.exec(said) ?? [];
    await code.fill(link[1] ?? '');
    await page.getByRole('button', { name: 'Pair' }).click();
    await expect(page.getByText('Does the other screen show this number?')).toBeVisible();
    const number = await page.getByRole('status').innerText();
    await shoot(page, 'pair-number');
    expect(await violations(page)).toEqual([]);
    await expect.poll(() => said).toContain(`It has to show this number: ${number}`);
    pair.stdin.write('y\n');
    await expect(page.locator('#main')).toBeVisible(); // it is in
    await settled(page);
    await open(page, own, '/settings');
    await expect(page.getByText('This browser cannot list devices')).toBeVisible();

    // The code is good once.
    await page.goto(`${own.url}/ui/pair`);
    await code.fill(link[1] ?? '');
    await page.getByRole('button', { name: 'Pair' }).click();
    await expect(page.getByRole('alert')).toContainText('No such pairing, or it is closed.');
  } finally {
    pair.kill();
  }
});

test('a page in the background notifies that a session needs you @short', async ({
  page,
  own,
  context,
}) => {
  await context.grantPermissions(['notifications']);
  await page.addInitScript(() => {
    const shown: unknown[] = [];
    Object.assign(window, { shown });
    const show = (title: string, options: NotificationOptions): Promise<void> => {
      shown.push([title, options.body]);
      return Promise.resolve();
    };
    Object.assign(ServiceWorkerRegistration.prototype, { showNotification: show });
    Object.assign(window, {
      Notification: Object.assign(
        function (title: string, options: NotificationOptions) {
          void show(title, options);
        },
        {
          permission: 'granted',
          requestPermission: () => {
            shown.push('asked');
            return Promise.resolve('granted');
          },
        },
      ),
    });
  });
  const shown = (): Promise<unknown> =>
    page.evaluate(() => (window as unknown as { shown: unknown }).shown);
  await enter(page, own);
  await expect(page).toHaveTitle('(3) Home · sesskeep');
  await open(page, own, '/settings');
  expect(await shown()).toEqual([]); // no permission is requested before the user asks for it
  await page.getByRole('checkbox', { name: /When a session needs you/ }).check();
  await expect.poll(shown).toEqual(['asked']);

  const ask = { name: 'Bash', input: { command: 'curl https://secret.example' } };
  await page.evaluate(() =>
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true }),
  );
  await think(own, ask);
  await wait(own);
  await expect(page).toHaveTitle('(4) Settings · sesskeep');
  await expect
    .poll(shown)
    .toEqual(['asked', ['Fix the flaky parser test on CI', expect.any(String)]]);
  expect(JSON.stringify(await shown())).not.toContain('secret');
});

test('a row has a menu, by its key and by its button @short', async ({ page, own }) => {
  await enter(page, own);
  await open(page, own, '/sessions');
  await expect(page.locator('[role=row].here')).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('.');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem').first()).toBeFocused();
  await shoot(page, 'sessions-menu');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(page.locator('[role=row].here')).toBeFocused();

  const row = page.locator('[data-index="5"]');
  await row.hover();
  await row.getByRole('button', { name: /^Actions for Docs sweep/ }).click();
  await menu.getByRole('menuitem', { name: 'Note…' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('ask the archivist');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Note saved.')).toBeVisible();
  expect(await own.command('ls', '--json')).toContain('ask the archivist');
});

test('a colon offers keys and values, and words are left alone @short', async ({ page, demo }) => {
  await enter(page, demo);
  await open(page, demo, '/search');
  const field = page.getByRole('combobox', { name: 'Search all sessions' });
  const offers = page.getByRole('option');
  await field.pressSequentially('half line');
  await expect(offers).toHaveCount(0);
  await field.fill('');
  await field.pressSequentially('half :sta');
  await expect(offers).toHaveCount(2);
  await shoot(page, 'search-keys');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('half state:');
  const working = page.getByRole('option', { name: 'state:working 1' });
  await expect(working).toBeVisible();
  while ((await working.getAttribute('aria-selected')) !== 'true') {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('half state:working ');
  await expect(page).toHaveURL(/q=half\+state%3Aworking/);
  await expect(page.locator('a.hit').first()).toBeVisible();
  await expect(offers).toHaveCount(0);
});

test.describe('a server that is away', () => {
  test.use({ killed: true });

  test('a server that goes away and comes back is noticed, and nothing is lost', async ({
    page,
  }) => {
    const server = await serve();
    await enter(page, server);
    await open(page, server, '/sessions');
    const foot = page.getByRole('contentinfo');
    await expect(foot).toContainText('live');
    await server.down();
    await expect(foot).toContainText(/reconnecting.*stale since/);
    await expect(page.getByText('24 sessions').first()).toBeVisible();
    await page.locator('[data-index="4"] input[type=checkbox]').click();
    await expect(page.getByRole('button', { name: /^Archive/ })).toBeDisabled();
    await shoot(page, 'sessions-offline');
    expect(await violations(page)).toEqual([]);
    await server.up();
    await expect(foot).toContainText('live', { timeout: 30_000 });
    await expect(page.getByRole('button', { name: /^Archive/ })).toBeEnabled();
    await page.getByRole('button', { name: /^Archive/ }).click();
    await expect(page.locator('h1')).toHaveText('21 sessions');
    await page.goto('about:blank');
    await server.stop();
  });
});

test('without any data it says where it looked, and offers the demo @short', async ({ page }) => {
  const server = await serve(async (claude) => {
    await mkdir(join(claude, 'projects'), { recursive: true });
  });
  await enter(page, server);
  for (const path of ['/', '/sessions', '/projects']) {
    await open(page, server, path);
    await expect(
      page.getByText(/^No Claude Code data found at .*\.claude\. Set CLAUDE/),
    ).toBeVisible();
    await expect(page.getByText('sesskeep --demo ui')).toBeVisible();
    expect(await violations(page)).toEqual([]);
  }
  await shoot(page, 'first-run');
  await page.goto('about:blank');
  await server.stop();
});
