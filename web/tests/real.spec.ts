// The real client, started and steered from the dashboard. Its model is a mock of the
// Messages API: a prompt says what it does. "make client" installs the client.

import type { Locator, Page } from '@playwright/test';
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { missing } from './browser';
import { serve, type Server } from './server';
import { enter, expect, open, settled, shoot, test as base, violations } from './world';

const top = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** client is the program that is tried. */
const client = resolve(
  process.env['SESSKEEP_CLAUDE'] ?? join(top, '.cache/client/node_modules/.bin/claude'),
);
const noClient = existsSync(client)
  ? ''
  : `${client} is not there: nothing was tried with the real client ("make client" installs it)`;

/** mock starts the mock API, and gives what leads a client to it. */
async function mock(): Promise<{ env: Record<string, string>; stop: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'sesskeep-mock-'));
  const bin = join(dir, 'mockserver');
  await promisify(execFile)('go', ['build', '-o', bin, './internal/storetest/mockserver'], {
    cwd: top,
  });
  const child = spawn(bin, { stdio: ['pipe', 'pipe', 'inherit'] });
  const line = await new Promise<string>((said, failed) => {
    createInterface(child.stdout).once('line', said);
    child.once('error', failed);
  });
  return {
    env: JSON.parse(line) as Record<string, string>,
    stop: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      child.stdin.end();
      await ended;
      await rm(dir, { recursive: true });
    },
  };
}

const test = base.extend<{ runner: Server }>({
  runner: async ({ page }, use) => {
    base.skip(missing !== '', missing);
    base.skip(noClient !== '', noClient);
    const api = await mock();
    const server = await serve(
      async (claude) => {
        await mkdir(join(claude, 'projects'), { recursive: true });
        for (const name of ['api', 'docs', 'web']) {
          await mkdir(join(dirname(claude), 'work', name), { recursive: true });
        }
      },
      {
        env: { SESSKEEP_CLAUDE: client, ...api.env },
        args: (home) => ['--allow-root', join(home, 'work')],
      },
    );
    await use(server);
    const left = (await server.command('run', 'ls', '--jq', '.runs[].id')).split('\n');
    for (const id of left.filter((l) => l !== '')) await server.command('run', 'stop', id);
    await expect
      .poll(() => server.command('run', 'ls', '--jq', '.runs[].id'), { timeout: 30_000 })
      .toBe('');
    if (!page.isClosed()) await page.goto('about:blank');
    await server.stop();
    await api.stop();
  },
});

test.use({ killed: true });

interface Run {
  id: string;
  state: string;
  dir: string;
  sessionId: string;
  turns: number;
  error?: string;
  events: { event: string; behavior?: string; by?: string }[];
}

const read = async (server: Server, id: string): Promise<Run> =>
  JSON.parse(await server.command('run', 'show', id, '--json')) as Run;

/** start fills in the form of the dashboard, and gives the run that it leads to. */
async function start(page: Page, server: Server, dir: string, prompt: string): Promise<string> {
  await open(page, server, '/runs');
  await page.getByRole('button', { name: 'New run' }).first().click();
  await page.getByRole('combobox', { name: 'Directory' }).fill(dir);
  await page.getByRole('textbox', { name: 'Prompt' }).fill(prompt);
  await shoot(page, `real-new-${dir.split('/').at(-1) ?? ''}`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page).toHaveURL(/\/runs\/r\d+$/);
  await settled(page);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

const talk = (page: Page): Locator => page.getByRole('group', { name: 'Conversation' });
const state = (page: Page): Locator => page.locator('main header');

test('three are started: one is answered, one interrupted, one continued', async ({
  page,
  runner,
}) => {
  test.setTimeout(240_000);
  const work = join(await realpath(runner.home), 'work');
  await enter(page, runner);

  const asks = await start(page, runner, join(work, 'api'), `[write:${work}/api/note.txt]`);
  await expect(page.getByRole('article', { name: /asks/ })).toBeVisible({ timeout: 60_000 });
  const talks = await start(page, runner, join(work, 'docs'), '[slow:5000]');
  await expect(talk(page)).toContainText('word word word', { timeout: 60_000 });
  await shoot(page, 'real-streams');
  const waits = await start(page, runner, join(work, 'web'), '[text:The first answer.]');
  await expect(talk(page)).toContainText('The first answer.', { timeout: 60_000 });
  await expect(state(page)).toContainText('your turn');

  await open(page, runner, '/runs');
  await expect(page.getByRole('list', { name: 'Runs' }).getByRole('listitem')).toHaveCount(3);
  await expect(page.getByText('needs you')).toBeVisible();
  await shoot(page, 'real-three');
  expect(await violations(page)).toEqual([]);

  // One is answered, with exactly what it asks before the eyes.
  await open(page, runner, '/inbox');
  const card = page.getByRole('article', { name: /Write asks/ });
  await expect(card).toContainText(`${work}/api/note.txt`);
  await shoot(page, 'real-inbox');
  const allow = card.getByRole('button', { name: /^Allow once/ });
  await expect(allow).toHaveAttribute('aria-disabled', 'false');
  await allow.click();
  await expect(card).toHaveCount(0);
  await expect.poll(async () => (await read(runner, asks)).state).toBe('your turn');
  expect(await readFile(join(work, 'api/note.txt'), 'utf8')).toBe('written\n');

  // One is interrupted.
  await open(page, runner, `/runs/${talks}`);
  await page.getByRole('button', { name: 'Interrupt' }).click();
  await expect(state(page)).toContainText('your turn', { timeout: 30_000 });
  await expect(page.getByRole('alert').getByText('interrupted')).toBeVisible();
  await shoot(page, 'real-interrupted');
  expect((await read(runner, talks)).error).toBe('interrupted');

  // One is continued by the server that comes after one that was killed.
  await open(page, runner, `/runs/${waits}`);
  await expect(talk(page)).toContainText('The first answer.');
  await runner.restart();
  await page.getByRole('textbox', { name: 'Message' }).fill('[text:And the second.]');
  await page.keyboard.press('Enter');
  await expect(talk(page).getByText('And the second.', { exact: true })).toBeVisible({
    timeout: 60_000,
  });
  await shoot(page, 'real-continued');
  expect((await read(runner, waits)).turns).toBe(2);

  // It ends, and another run resumes its session.
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText(/This run has ended/)).toBeVisible({ timeout: 30_000 });
  await shoot(page, 'real-ended');
  await page.getByRole('textbox', { name: 'Message' }).fill('[text:The third, in another run.]');
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(new RegExp(`/runs/${waits}$`));
  await expect(talk(page)).toContainText('The third, in another run.', { timeout: 60_000 });
  await expect(talk(page)).toContainText('The first answer.');
  await shoot(page, 'real-resumed');

  await proven(runner, work, { asks, talks, waits });
});

/** proven compares what the dashboard did with what is on disk. */
async function proven(server: Server, work: string, run: Record<string, string>): Promise<void> {
  const made = {
    asks: await read(server, run['asks'] ?? ''),
    talks: await read(server, run['talks'] ?? ''),
    waits: await read(server, run['waits'] ?? ''),
  };
  expect(made.asks.dir).toBe(join(work, 'api'));
  expect(made.talks.dir).toBe(join(work, 'docs'));
  expect(made.waits.dir).toBe(join(work, 'web'));
  const answered = made.asks.events.filter((e) => e.event === 'answered');
  expect(answered).toHaveLength(1);
  expect(answered[0]).toMatchObject({ behavior: 'allow' });
  const list = JSON.parse(await server.command('ls', '--all', '--json')) as {
    sessions: { id: string; cwd?: string; promptCount: number }[];
  };
  const prompts = Object.fromEntries(list.sessions.map((s) => [s.id, s.promptCount]));
  expect(prompts).toMatchObject({
    [made.asks.sessionId]: 1,
    [made.talks.sessionId]: 1,
    [made.waits.sessionId]: 3,
  });
}
