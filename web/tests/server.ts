// A server of the program itself, on a home of its own and a free port.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const top = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

let built: Promise<string> | undefined;

/** binary is the program: SESSKEEP_BIN, or what is built now, once. */
export function binary(): Promise<string> {
  const given = process.env['SESSKEEP_BIN'];
  if (given) return Promise.resolve(given);
  built ??= (async () => {
    const to = join(await mkdtemp(join(tmpdir(), 'sesskeep-web-')), 'sesskeep');
    await run('go', ['build', '-o', to, './cmd/sesskeep'], { cwd: top });
    return to;
  })();
  return built;
}

export interface Server {
  url: string;
  home: string;
  /** command runs the program in the server's home. */
  command: (...args: string[]) => Promise<string>;
  /** cpu is the time in ms that the server has worked; NaN where the system does not report it. */
  cpu: () => Promise<number>;
  /** down ends the server and leaves its home; up starts it again at the same address. */
  down: () => Promise<void>;
  up: () => Promise<void>;
  /** restart kills the server without warning, and starts it again at the same address. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

/** More is what a server may be started with. */
export interface More {
  env?: Record<string, string>;
  args?: (home: string) => string[];
  /** unprivileged runs the program as a user whom permissions bind, even if root runs the tests. */
  unprivileged?: boolean;
}

const nobody = 65534;

/** changesUser reports whether the program has to run as another user. */
const changesUser = (more: More): boolean =>
  (more.unprivileged ?? false) && process.getuid?.() === 0;

/** asUser returns how the program is started as that user: he owns the home, which has a copy of
 * the program, because other directories may be closed to him. */
async function asUser(home: string, bin: string): Promise<{ bin: string; user: { uid: number } }> {
  const copy = join(home, 'sesskeep');
  await copyFile(bin, copy);
  await run('chown', ['-R', String(nobody), home]);
  return { bin: copy, user: { uid: nobody } };
}

/** fakeClient builds a client that asks no model: a prompt says what it does. */
export async function fakeClient(): Promise<string> {
  const to = join(await mkdtemp(join(tmpdir(), 'sesskeep-fake-')), 'claude');
  await run('go', ['build', '-o', to, './internal/storetest/fakeclaude'], { cwd: top });
  return to;
}

/** serve starts a server on the demo home, or on the home that fill makes. */
export async function serve(
  fill?: (claude: string) => Promise<void>,
  more: More = {},
): Promise<Server> {
  const home = await mkdtemp(join(changesUser(more) ? '/tmp' : tmpdir(), 'sesskeep-home-'));
  const claude = join(home, '.claude');
  if (fill) await fill(claude);
  const env: NodeJS.ProcessEnv = { PATH: process.env['PATH'], HOME: home, TZ: 'UTC', ...more.env };
  if (fill) env['CLAUDE_CONFIG_DIR'] = claude;
  const kind = fill ? [] : ['--demo'];
  const given = await binary();
  const { bin, user } = changesUser(more) ? await asUser(home, given) : { bin: given, user: {} };
  const start = (at: string): ChildProcess =>
    spawn(bin, [...kind, 'serve', '--listen', at, ...(more.args?.(home) ?? [])], {
      env,
      ...user,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  let child = start('127.0.0.1:0');
  const url = await address(child);
  const up = async (): Promise<void> => {
    child = start(new URL(url).host);
    await address(child);
  };
  return {
    url,
    home,
    command: async (...args) => (await run(bin, [...kind, ...args], { env, ...user })).stdout,
    cpu: () => worked(child.pid ?? 0),
    down: () => end(child, 'SIGTERM'),
    up,
    restart: async () => {
      await end(child, 'SIGKILL');
      await up();
    },
    stop: async () => {
      await end(child, 'SIGTERM');
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function worked(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // from the third on
  return 10 * (Number(fields[11] ?? NaN) + Number(fields[12] ?? NaN));
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await ended;
}

function address(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = /serving at (http:\/\/\S+)/.exec(said)?.[1];
      if (url) found(url);
    });
    child.once('exit', (code) => failed(new Error(`serve ended with ${code}: ${said}`)));
    child.once('error', failed);
  });
}
