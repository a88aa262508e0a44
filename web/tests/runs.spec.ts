// Sessions that sesskeep runs, and what they ask. The client is a fake that asks
// no model; everything else is real.

import type { Locator, Page } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { missing } from './browser';
import { fakeClient, serve, type Server } from './server';
import { enter, expect, open, shoot, test as base, violations } from './world';

const test = base.extend<{ runner: Server }, { client: string }>({
  client: [
    // eslint-disable-next-line no-empty-pattern -- Playwright wants it
    async ({}, use) => {
      base.skip(missing !== '', missing);
      await use(await fakeClient());
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  runner: async ({ page, client }, use) => {
    const server = await serve(
      async (claude) => {
        await mkdir(join(claude, 'projects'), { recursive: true });
        await mkdir(join(dirname(claude), 'work'));
      },
      { env: { SESSKEEP_CLAUDE: client }, args: (home) => ['--allow-root', join(home, 'work')] },
    );
    await use(server);
    for (const run of await runs(server)) await ask(server, `/runs/${run.id}/stop`, {});
    if (!page.isClosed()) await page.goto('about:blank');
    await server.stop();
  },
});

interface Run {
  id: string;
  state: string;
  text?: string;
}

let secret: { server: Server; token: string } | undefined;

async function token(server: Server): Promise<string> {
  if (secret?.server !== server) {
    const made = await server.command('token', 'create', '--role', 'operate', '--json');
    secret = { server, token: (JSON.parse(made) as { token: string }).token };
  }
  return secret.token;
}

async function ask(server: Server, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Authorization: `Bearer ${await token(server)}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.json();
}

async function runs(server: Server): Promise<Run[]> {
  return ((await ask(server, '/runs?living=true')) as { runs: Run[] }).runs;
}

async function start(server: Server, prompt: string): Promise<Run> {
  const made = (await ask(server, '/runs', { cwd: join(server.home, 'work'), prompt })) as Run;
  expect(made.id).toMatch(/^r\d+$/);
  return made;
}

async function waiting(server: Server): Promise<number> {
  return ((await ask(server, '/inbox')) as { total: number }).total;
}

const card = (page: Page): Locator => page.getByRole('article', { name: /asks/ });
const allow = (page: Page): Locator => page.getByRole('button', { name: /^Allow once/ });

test('U11: allow does nothing for 500 ms, nor without the focus @short', async ({
  page,
  runner,
}) => {
  await page.clock.install();
  await enter(page, runner);
  await open(page, runner, '/inbox');
  await expect(page.getByText('Nothing waits for you.')).toBeVisible();
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));

  await start(runner, '[tool:rm -rf build]');
  await expect(card(page)).toBeVisible();
  await expect(card(page)).toBeFocused();
  await allow(page).click({ force: true });
  await page.clock.runFor(499);
  await allow(page).click({ force: true });
  await card(page).focus();
  await card(page).press('y');
  expect(await waiting(runner)).toBe(1);

  await page.clock.runFor(1);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('y');
  expect(await waiting(runner)).toBe(1);
  await card(page).focus();
  await card(page).press('y');
  await expect.poll(() => waiting(runner)).toBe(0);
});

test('what else is asked does not make a card wait again', async ({ page, runner }) => {
  await page.clock.install();
  await enter(page, runner);
  await open(page, runner, '/inbox');
  await expect(page.getByText('Nothing waits for you.')).toBeVisible();
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  await start(runner, '[tool:first]');
  await expect(card(page)).toHaveCount(1);
  await page.clock.runFor(499);
  await start(runner, '[tool:second]');
  await expect(card(page)).toHaveCount(2);
  await page.clock.runFor(1);
  await expect(allow(page).first()).toHaveAttribute('aria-disabled', 'false');
  await expect(allow(page).last()).toHaveAttribute('aria-disabled', 'true');
});

test('deny answers at once, and says why @short', async ({ page, runner }) => {
  await enter(page, runner);
  await open(page, runner, '/inbox');
  await start(runner, '[tool:rm -rf build]');
  await expect(card(page)).toBeVisible();
  await shoot(page, 'inbox-card');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: /^Deny/ }).first().click();
  await expect(card(page)).toHaveCount(0);
  expect(await waiting(runner)).toBe(0);
});

test('U12: when one of two browsers answers, the other shows it within a second', async ({
  page,
  runner,
  browser,
}) => {
  await enter(page, runner);
  await open(page, runner, '/inbox');
  const context = await browser.newContext();
  const other = await context.newPage();
  await enter(other, runner);
  await open(other, runner, '/inbox');
  const run = await start(runner, '[tool:rm -rf build]');
  await expect(allow(page)).toHaveAttribute('aria-disabled', 'false');
  await expect(allow(other)).toHaveAttribute('aria-disabled', 'false');
  // The slower one may find its button gone.
  await Promise.allSettled([
    page.getByRole('button', { name: /^Deny/ }).first().click({ timeout: 3000 }),
    allow(other).click({ timeout: 3000 }),
  ]);
  await expect.poll(() => waiting(runner)).toBe(0);
  const { events } = (await ask(runner, `/runs/${run.id}`)) as {
    events: { promptId?: string; behavior?: string }[];
  };
  expect(events.filter((e) => e.behavior)).toHaveLength(1);

  // One that did not try reads who did.
  await open(other, runner, '/inbox');
  await start(runner, '[tool:ls]');
  await expect(card(other)).toBeVisible();
  await expect(card(page)).toBeVisible();
  await page.getByRole('button', { name: /^Deny/ }).first().click();
  await expect(other.getByText(/Denied .*\d\d:\d\d:\d\d/)).toBeVisible({ timeout: 1000 });
  await other.goto('about:blank');
  await context.close();
});

test('what is asked is shown exactly and whole', async ({ page, runner }) => {
  await enter(page, runner);
  await open(page, runner, '/inbox');
  const long = `echo ${'x'.repeat(20_000)} end`;
  await start(runner, `[tool:${long}]`);
  await expect(card(page)).toBeVisible();
  expect(await card(page).locator('pre').first().textContent()).toBe(long);
  await page.getByRole('button', { name: /^Deny/ }).first().click();
  await expect(card(page)).toHaveCount(0);
  await start(runner, '[tool:echo \u202Efdp.exe \u200Bx <img src=x onerror=alert(1)>]');
  await expect(card(page).locator('pre').first()).toHaveText(
    'echo ⟨U+202E⟩fdp.exe ⟨U+200B⟩x <img src=x onerror=alert(1)>',
  );
  await shoot(page, 'inbox-hostile');
});

test('a question has its options, and words of one’s own', async ({ page, runner }) => {
  await enter(page, runner);
  await open(page, runner, '/inbox');
  await start(runner, '[ask]');
  await expect(page.getByRole('radio').first()).toBeVisible();
  await shoot(page, 'inbox-question');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect.poll(() => waiting(runner)).toBe(0);
});

test('several questions are answered at once, one with several options @short', async ({
  page,
  runner,
}) => {
  await enter(page, runner);
  await open(page, runner, '/inbox');
  const run = await start(runner, '[questions]');
  const button = page.getByRole('button', { name: 'Answer', exact: true });
  await page.getByRole('radio', { name: /Blue/ }).check();
  await expect(button).toBeDisabled(); // the second question has no answer yet
  await page.getByRole('checkbox', { name: /^L/ }).check();
  await page.getByRole('checkbox', { name: /^S/ }).check();
  await page.getByRole('textbox', { name: 'Another answer' }).nth(1).fill('made to measure');
  await shoot(page, 'inbox-questions');
  expect(await violations(page)).toEqual([]);
  await button.click();
  await expect.poll(() => waiting(runner)).toBe(0);
  await open(page, runner, `/runs/${run.id}`);
  await expect(page.getByText('it is Blue in S, L, made to measure')).toBeVisible();
});

test('a run is started, talked to and stopped @short', async ({ page, runner }) => {
  await enter(page, runner);
  await open(page, runner, '/runs');
  await expect(page.getByText('Nothing was run yet.')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const run = await start(runner, '[text:The first answer.]');
  await expect(page.getByRole('link', { name: /first answer/ })).toBeVisible();
  await shoot(page, 'runs');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: /first answer/ }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${run.id}`));
  const talk = page.getByRole('group', { name: 'Conversation' });
  await expect(talk).toContainText('The first answer.');
  await page.getByRole('textbox', { name: 'Message' }).fill('[text:And the second.]');
  await page.keyboard.press('Enter');
  await expect(talk.getByText('And the second.', { exact: true })).toBeVisible();
  await shoot(page, 'run');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText(/This run has ended/)).toBeVisible({ timeout: 20_000 });
});

test('the live wall names the run that has a session, and leads to it', async ({
  page,
  runner,
}) => {
  await enter(page, runner);
  await open(page, runner, '/live');
  await expect(page.getByText('No session is running.')).toBeVisible();
  const run = await start(runner, '[tool:rm -rf build]');
  const pane = page.getByRole('article');
  await expect(pane).toContainText('needs you');
  await expect(pane.getByRole('link', { name: `Answer it in ${run.id}` })).toBeVisible();
  await shoot(page, 'live-run');
  expect(await violations(page)).toEqual([]);
  await pane.getByRole('link', { name: new RegExp(`^${run.id}`) }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${run.id}$`));
  await expect(card(page)).toBeVisible();
});

interface Listed {
  id: string;
  promptCount: number;
  forkedFrom?: string;
}

async function sessions(server: Server): Promise<Listed[]> {
  return ((await ask(server, '/sessions?source=all')) as { sessions: Listed[] }).sessions;
}

/** goOn fills in the dialog of a conversation, and gives the run that it leads to. */
async function resumeWith(page: Page, word: 'Continue' | 'Fork', prompt: string): Promise<string> {
  await page.getByRole('button', { name: word, exact: true }).click();
  const sheet = page.getByRole('dialog', { name: word });
  await expect(sheet.getByRole('textbox', { name: 'Prompt' })).toBeFocused();
  await expect(sheet.getByRole('button', { name: 'Start here' })).toBeDisabled();
  expect(await violations(page)).toEqual([]);
  await sheet.getByRole('textbox', { name: 'Prompt' }).fill(prompt);
  await shoot(page, `go-on-${word.toLowerCase()}`);
  await sheet.getByRole('button', { name: 'Start here' }).click();
  await expect(page).toHaveURL(/\/runs\/r\d+$/);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

test('a conversation is continued in its session, and forked into another', async ({
  page,
  runner,
}) => {
  const first = await start(runner, '[text:The first answer.]');
  await expect.poll(async () => (await sessions(runner)).length).toBe(1);
  const { id } = (await sessions(runner))[0] as Listed;
  await expect.poll(async () => (await runs(runner))[0]?.state).toBe('your turn');
  await ask(runner, `/runs/${first.id}/stop`, {});
  await expect.poll(async () => (await runs(runner)).length).toBe(0);

  await enter(page, runner);
  await open(page, runner, `/s/${id}`);
  const talk = page.getByRole('group', { name: 'Conversation' });
  const second = await resumeWith(page, 'Continue', '[text:It goes on.]');
  await expect(talk.getByText('It goes on.', { exact: true })).toBeVisible();
  await expect.poll(async () => (await sessions(runner)).map((s) => s.promptCount)).toEqual([2]);
  await ask(runner, `/runs/${second}/stop`, {});
  await expect.poll(async () => (await runs(runner)).length).toBe(0);

  await open(page, runner, `/s/${id}`);
  await expect(page.locator('[role=feed]')).toContainText('It goes on.');
  await resumeWith(page, 'Fork', '[text:Another way.]');
  await expect(talk.getByText('Another way.', { exact: true })).toBeVisible();
  await expect.poll(async () => (await sessions(runner)).length).toBe(2);
  const [was, made] = (await sessions(runner)).toSorted((a) => (a.id === id ? -1 : 1));
  expect(was).toMatchObject({ id, promptCount: 2 }); // as it was
  await expect
    .poll(async () => (await sessions(runner)).find((s) => s.id === made?.id)?.promptCount)
    .toBe(3);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('U18: the composer is one line until there is something to say', async ({
    page,
    runner,
  }) => {
    const run = await start(runner, '[text:The first answer.]');
    await enter(page, runner);
    await open(page, runner, `/runs/${run.id}`);
    const field = page.getByRole('textbox', { name: 'Message' });
    const composer = page.locator('form').filter({ has: field });
    const high = async (): Promise<number> => (await composer.boundingBox())?.height ?? 0;
    await expect(field).toBeVisible();
    expect(await high()).toBe(44);
    await field.fill('one\ntwo\nthree');
    await expect.poll(high).toBeGreaterThan(80);
    await field.fill('');
    await expect.poll(high).toBe(44);
    await shoot(page, 'run-phone');
    expect(await violations(page)).toEqual([]);
  });
});

for (const theme of ['dark', 'light'] as const) {
  test(`U9: the pages of runs have no violation at any width: ${theme}`, async ({
    page,
    runner,
  }) => {
    test.setTimeout(180_000);
    await page.emulateMedia({ colorScheme: theme });
    await enter(page, runner);
    const asks = await start(runner, '[text:Before it.] [tool:rm -rf build]');
    const said = await start(runner, '[text:The first answer.]');
    await expect.poll(() => waiting(runner)).toBe(1);
    for (const [width, height] of [
      [1440, 900],
      [1024, 800],
      [390, 844],
      [320, 256],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const path of [
        '/runs',
        `/runs/${asks.id}`,
        `/runs/${said.id}`,
        '/runs?new=1',
        '/inbox',
      ]) {
        await open(page, runner, path);
        await shoot(page, `${path.slice(1).replaceAll(/[/?=]/g, '-')}-${theme}-${width}`);
        expect.soft(await violations(page), `${path} ${width}`).toEqual([]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect.soft(wide, `${path} ${width}`).toBeLessThanOrEqual(width);
      }
    }
  });
}
