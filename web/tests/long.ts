// A session of many messages, with images and large blocks, and one that attacks
// whatever shows it.

import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

export const longId = '50000000-0000-4000-8000-000000000000';
export const evilId = 'e0000000-0000-4000-8000-000000000000';
const cwd = '/home/ada/src/long';

export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const fileOf = (claude: string, id: string): string =>
  join(claude, 'projects', '-home-ada-src-long', `${id}.jsonl`);

const begun = Date.parse('2026-11-01T08:00:00Z');

function line(id: string, n: number, message: object, more: object = {}): string {
  const user = (message as { role?: string }).role === 'user';
  return `${JSON.stringify({
    parentUuid: n === 0 ? null : uuid(n - 1),
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId: id,
    version: '2.1.300',
    gitBranch: 'main',
    type: user ? 'user' : 'assistant',
    message,
    uuid: uuid(n),
    timestamp: new Date(begun + n * 1000).toISOString(),
    ...more,
  })}\n`;
}

const words = 'the reader keeps half a line until its newline has arrived and then goes on'.split(
  ' ',
);
const said = (n: number, count: number): string =>
  Array.from({ length: count }, (_, i) => words[(n * 7 + i * 3) % words.length]).join(' ');

/** large is a text of 200 KB. */
const large = (n: number): string => `${said(n, 20_000)} deep in ${n} ${said(n + 1, 20_000)}`;

/** answer is a message of the model. */
export function answer(id: string, n: number, content: object[]): string {
  const usage = { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 0 };
  return line(id, n, {
    role: 'assistant',
    id: `msg_${n}`,
    model: 'claude-opus-5-5',
    content,
    usage,
  });
}

export function prompt(id: string, n: number, content: string | object[]): string {
  return line(id, n, { role: 'user', content });
}

/** message is the nth line of the long session. */
export function message(n: number): string {
  const call = `toolu_${n - (n % 5)}`;
  switch (n % 5) {
    case 0:
      if (n % 400 === 0)
        return prompt(longId, n, [image(n), { type: 'text', text: `prompt ${n}` }]);
      return prompt(longId, n, `prompt ${n}: ${said(n, 4 + (n % 40))}`);
    case 1:
      return answer(longId, n, [
        { type: 'thinking', thinking: `${said(n, 60)} thought ${n}`, signature: 'x' },
      ]);
    case 2:
      return answer(longId, n, [
        {
          type: 'tool_use',
          id: call,
          name: 'Bash',
          input: { command: `go test -run ${n} ./...`, description: `Test ${n}` },
        },
      ]);
    case 3:
      return line(longId, n, {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: call,
            content: n % 1000 === 3 ? large(n) : `ok ${n}`,
          },
        ],
      });
    default: {
      const text = n % 1000 === 504 ? large(n) : said(n, 10 + (n % 90));
      return answer(longId, n, [{ type: 'text', text: `answer ${n}: ${text}` }]);
    }
  }
}

function image(n: number): object {
  const [w, h] = [320, 120 + (n % 7) * 20];
  const rows = Buffer.alloc(h * (w + 1), n % 251);
  for (let y = 0; y < h; y++) rows[y * (w + 1)] = 0;
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const around = Buffer.alloc(8);
    around.writeUInt32BE(data.length);
    around.writeUInt32BE(crc32 ? crc32(body) : crc(body), 4);
    return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(w);
  head.writeUInt32BE(h, 4);
  head[8] = 8; // bits, grey
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  const source = { type: 'base64', media_type: 'image/png', data: png.toString('base64') };
  return { type: 'image', source };
}

/** crc is for a Node that has none of its own. */
function crc(data: Buffer): number {
  let c = ~0;
  for (const byte of data) {
    c ^= byte;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return ~c >>> 0;
}

/** makeLong writes the long session. */
export async function makeLong(claude: string, count: number): Promise<void> {
  const file = fileOf(claude, longId);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '');
  for (let n = 0; n < count; n += 1000) {
    const lines = Array.from({ length: Math.min(1000, count - n) }, (_, i) => message(n + i));
    await appendFile(file, lines.join(''));
  }
}

export const attacks = [
  '<script>window.hit=1;alert(1)</script>',
  '<img src=x onerror="window.hit=1;alert(1)">',
  '<svg onload="window.hit=1;alert(1)"></svg>',
  '"><script>window.hit=1</script>',
  "'-alert(1)-'",
  '[x](javascript:window.hit=1)',
  '[x](java\u0000script:window.hit=1)',
  '![x](https://evil.example/canary.png)',
  '<https://evil.example/x>',
  '<iframe src="https://evil.example/"></iframe>',
  '<style>*{background:url(https://evil.example/c)}</style>',
  '<link rel=stylesheet href=https://evil.example/c.css>',
  '<base href="https://evil.example/">',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '{{constructor.constructor("window.hit=1")()}}',
  '${window.hit=1}',
  '\u001b]0;title\u0007\u001b[31mred',
  '\u202egnp.exe',
  '<a href="https://evil.example" ping="https://evil.example/p">x</a>',
  '<form action="https://evil.example"><input autofocus onfocus=alert(1)>',
];

/** makeEvil writes a session with every attack in every place. */
export async function makeEvil(claude: string): Promise<void> {
  const file = fileOf(claude, evilId);
  await mkdir(dirname(file), { recursive: true });
  const out: string[] = [];
  let n = 0;
  for (const [i, evil] of attacks.entries()) {
    const id = `toolu_e${i}`;
    out.push(line(evilId, n++, { role: 'user', content: evil }, { gitBranch: evil }));
    out.push(answer(evilId, n++, [{ type: 'thinking', thinking: evil, signature: 'x' }]));
    out.push(
      answer(evilId, n++, [
        {
          type: 'text',
          text: `${evil}\n\n\`\`\`${evil.slice(0, 20)}\n${evil}\n\`\`\`\n\n| ${evil} |\n|-|\n| ${evil} |`,
        },
      ]),
    );
    const inputs = [
      ['Bash', { command: evil, description: evil }],
      ['Edit', { file_path: `/x/${evil}`, old_string: evil, new_string: `${evil} b` }],
      ['TodoWrite', { todos: [{ content: evil, status: 'pending', activeForm: evil }] }],
      ['ExitPlanMode', { plan: evil }],
      [`mcp__${evil}__x`, { [evil]: evil }],
      ['Agent', { description: evil, prompt: evil, subagent_type: evil }],
    ] as const;
    const [name, input] = inputs[i % inputs.length] as (typeof inputs)[number];
    out.push(answer(evilId, n++, [{ type: 'tool_use', id, name, input }]));
    out.push(
      line(evilId, n++, {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, is_error: i % 2 === 0, content: evil }],
      }),
    );
  }
  out.push(
    `${JSON.stringify({ type: 'custom-title', customTitle: attacks[1], sessionId: evilId })}\n`,
  );
  await writeFile(file, out.join(''));
}
