// A home of many sessions, small ones: in several projects, on several branches, by
// several models, with agents, and from several days.

import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const models = ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-4-5'];
const branches = ['main', 'perf/search', 'fix/tail'];

const id = (n: number): string => `c0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** makeMany writes them; every tenth has an agent, and every seventh was started by a program. */
export async function makeMany(claude: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const dir = join(claude, 'projects', `-home-ada-src-p${n % 20}`);
    if (n < 20) await mkdir(dir, { recursive: true });
    const at = new Date(Date.UTC(2026, 9, 1) + n * 240_000);
    await write(join(dir, `${id(n)}.jsonl`), lines(n, at, {}), at);
    if (n % 10 !== 0) continue;
    const agents = join(dir, id(n), 'subagents');
    await mkdir(agents, { recursive: true });
    const agentId = `a${String(n).padStart(16, '0')}`;
    const text = lines(n, at, { isSidechain: true, agentId });
    await write(join(agents, `agent-${agentId}.jsonl`), text, at);
  }
}

async function write(file: string, text: string, at: Date): Promise<void> {
  await writeFile(file, text);
  await utimes(file, at, at); // or it is in use
}

function lines(n: number, at: Date, more: object): string {
  const base = {
    isSidechain: false,
    userType: 'external',
    cwd: `/home/ada/src/p${n % 20}`,
    sessionId: id(n),
    version: '2.1.300',
    gitBranch: branches[n % branches.length],
    ...(n % 7 === 0 ? { entrypoint: 'sdk-cli', promptSource: 'sdk' } : {}),
    ...more,
  };
  const own = 'agentId' in more ? 'e' : 'd';
  const uuid = (k: number): string => `${own}${k}000000${id(n).slice(8)}`;
  const answer = {
    role: 'assistant',
    id: `msg_${own}${n}`,
    model: models[n % models.length],
    content: [{ type: 'text', text: `answer ${n}` }],
    usage: { input_tokens: 10 + n, output_tokens: 20 },
  };
  return [
    {
      type: 'user',
      uuid: uuid(1),
      parentUuid: null,
      message: { role: 'user', content: `Session ${n} of many` },
    },
    { type: 'assistant', uuid: uuid(2), parentUuid: uuid(1), message: answer },
  ]
    .map(
      (l, i) =>
        `${JSON.stringify({ ...base, ...l, timestamp: new Date(+at + i * 1000).toISOString() })}\n`,
    )
    .join('');
}
