// What tests do to the home of the demo.

import { appendFile, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from './server';

export const flaky = '39877941-aab8-4b02-abd4-e7471d0664fc'; // works, and has three branches

interface Call {
  name: string;
  input: object;
}

/** think adds thinking, or a call, to the working session of the demo, as its client would. */
export async function think(server: Server, what: string | Call): Promise<void> {
  const top = projects(server);
  const file = (await readdir(top, { recursive: true })).find((f) => f.endsWith(`${flaky}.jsonl`));
  const at = new Date().toISOString();
  const line = {
    type: 'assistant',
    uuid: crypto.randomUUID(),
    parentUuid: '1f6b482c-8501-44eb-a4fd-7a068247495f',
    sessionId: flaky,
    timestamp: at,
    isSidechain: false,
    userType: 'external',
    cwd: '/home/ada/src/parser',
    version: '2.1.325',
    message: {
      id: `msg_${crypto.randomUUID()}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [
        typeof what === 'string'
          ? { type: 'thinking', thinking: what, signature: 'x' }
          : { type: 'tool_use', id: `toolu_${crypto.randomUUID()}`, ...what },
      ],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  };
  await appendFile(join(top, file ?? ''), `${JSON.stringify(line)}\n`);
}

/** projects is where the transcripts of the demo are. */
export const projects = (server: Server): string =>
  join(server.home, '.cache', 'sesskeep', 'demo', 'home', 'projects');

/** addSwarm writes sessions that a program started, one for each of its agents. */
export async function addSwarm(server: Server, many: number): Promise<void> {
  const dir = join(projects(server), '-home-ada-src-parser');
  for (let i = 0; i < many; i++) {
    const sessionId = crypto.randomUUID();
    const line = {
      type: 'user',
      uuid: crypto.randomUUID(),
      parentUuid: null,
      sessionId,
      isSidechain: false,
      userType: 'external',
      entrypoint: 'sdk-cli',
      promptSource: 'sdk',
      timestamp: new Date(Date.UTC(2026, 10, 1, 12, i)).toISOString(),
      cwd: '/home/ada/src/parser',
      version: '2.1.300',
      message: { role: 'user', content: `look into file ${i}` },
    };
    const file = join(dir, `${sessionId}.jsonl`);
    await writeFile(file, `${JSON.stringify(line)}\n`);
    await utimes(file, new Date(line.timestamp), new Date(line.timestamp)); // or it is in use
  }
}

/** addRunning writes sessions whose clients run, with the given status. */
export async function addRunning(server: Server, many: number, status = 'busy'): Promise<void> {
  const dir = join(projects(server), '-home-ada-src-parser');
  const registry = join(projects(server), '..', 'sessions');
  const sample = JSON.parse(await readFile(join(registry, '4200617.json'), 'utf8')) as object;
  for (let i = 0; i < many; i++) {
    const sessionId = crypto.randomUUID();
    const pid = 4_300_000 + i;
    const line = {
      type: 'user',
      uuid: crypto.randomUUID(),
      parentUuid: null,
      sessionId,
      isSidechain: false,
      userType: 'external',
      timestamp: new Date().toISOString(),
      cwd: '/home/ada/src/parser',
      version: '2.1.325',
      message: { role: 'user', content: `task ${i} of ${many}` },
    };
    await writeFile(join(dir, `${sessionId}.jsonl`), `${JSON.stringify(line)}\n`);
    const entry = { ...sample, pid, sessionId, status, updatedAt: Date.now() };
    await writeFile(join(registry, `${pid}.json`), JSON.stringify(entry));
  }
}

/** wait lets the working session of the demo ask whether it may do something. */
export async function wait(server: Server): Promise<void> {
  const file = join(projects(server), '..', 'sessions', '4200617.json');
  const now = Date.now();
  const entry = {
    ...(JSON.parse(await readFile(file, 'utf8')) as object),
    status: 'waiting',
    waitingFor: 'permission prompt',
    updatedAt: now,
    statusUpdatedAt: now,
  };
  await writeFile(file, JSON.stringify(entry));
}
