// Sessions that fork in every way there is, and how they hang together.

import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileOf } from './long';

/** Said is a line of a session. Its name is its text, and makes its uuid. */
interface Said {
  name: string;
  after: string; // the name of its parent; empty: none
  more?: Record<string, unknown>;
}

export interface Fixture {
  id: string;
  lines: Said[];
  /** graph is what the tree shows: every row, and the one it hangs on. */
  graph: string[];
  copyOf?: string; // the session it was forked from
}

/** uuidOf is the same in a session and its copy, and in no other. */
export const uuidOf = (f: { id: string; copyOf?: string }, name: string): string =>
  `${[...(f.copyOf ?? f.id).slice(-2), ...name].map((c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join('')}${'0'.repeat(32)}`
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const id = (n: number): string => `b0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** say reads lines such as "b < a": b was said after a. Names with a q ask. */
function say(text: string): Said[] {
  return text
    .trim()
    .split('\n')
    .map((l) => {
      const [name = '', after = ''] = l.split('<').map((w) => w.trim());
      return { name, after };
    });
}

const nested = Array.from({ length: 5 }, (_, i) => {
  const before = i === 0 ? 'root answer' : `answer ${i}`;
  return `question ${i + 1}x < ${before}\nanswer ${i + 1}x < question ${i + 1}x\nquestion ${i + 1} < ${before}\nanswer ${i + 1} < question ${i + 1}`;
}).join('\n');

export const fixtures: Record<string, Fixture> = {
  linear: {
    id: id(1),
    lines: say('question a\nanswer a < question a\nquestion b < answer a\nanswer b < question b'),
    graph: ['question a', 'question b < question a'],
  },
  retry: {
    id: id(2),
    lines: say('question a\nanswer a < question a\nanswer b < question a'),
    graph: ['question a', 'another answer < question a', 'another answer < question a'],
  },
  edit: {
    id: id(3),
    lines: say(
      'question a\nanswer a < question a\nquestion b < answer a\nanswer b < question b\nquestion c < answer a\nanswer c < question c',
    ),
    graph: ['question a', 'question b < question a', 'question c < question a'],
  },
  nested: {
    id: id(4),
    lines: say(`root question\nroot answer < root question\n${nested}`),
    graph: [
      'root question',
      'question 1x < root question',
      'question 1 < root question',
      ...[2, 3, 4, 5].flatMap((n) => [
        `question ${n}x < question ${n - 1}`,
        `question ${n} < question ${n - 1}`,
      ]),
    ],
  },
  orphan: {
    id: id(5),
    lines: say('question a\nanswer a < question a\nquestion b < nobody\nanswer b < question b'),
    graph: ['question a', 'question b < question a'], // what has no parent follows what was there
  },
  cycle: {
    id: id(6),
    lines: say(
      'question a < answer b\nanswer a < question a\nquestion b < answer a\nanswer b < question b',
    ),
    graph: ['question a', 'question b < question a'],
  },
  compaction: {
    id: id(7),
    lines: [
      ...say('question a\nanswer a < question a'),
      {
        name: 'boundary',
        after: 'answer a', // which it follows without being its child
        more: {
          type: 'system',
          subtype: 'compact_boundary',
          content: 'Conversation compacted',
          compactMetadata: { trigger: 'manual', preTokens: 1000 },
        },
      },
      ...say('question b < boundary\nanswer b < question b'),
    ],
    graph: ['question a', 'question b < question a'],
  },
  fork: {
    id: id(8),
    lines: say('question a\nanswer a < question a\nquestion z < answer a\nanswer z < question z'),
    graph: ['question a', 'question a < question a', 'question z < question a'], // by its title
  },
  'other file': {
    id: id(9),
    copyOf: id(8),
    lines: say('question a\nanswer a < question a\nquestion y < answer a\nanswer y < question y'),
    graph: ['question a', 'question y < question a'],
  },
};

/** makeBranches writes them. */
export async function makeBranches(claude: string): Promise<void> {
  for (const [n, fixture] of Object.values(fixtures).entries()) {
    const file = fileOf(claude, fixture.id);
    await mkdir(dirname(file), { recursive: true });
    const copied = fixture.copyOf ? 2 : 0;
    const named = (name: string): string | null => (name === '' ? null : uuidOf(fixture, name));
    const text = fixture.lines.map(({ name, after, more }, i) => {
      const user = name.includes('question');
      const message = user
        ? { role: 'user', content: name }
        : {
            role: 'assistant',
            id: `msg_${n}_${i}`,
            model: 'claude-opus-5-5',
            content: [{ type: 'text', text: name }],
            usage: { input_tokens: 1, output_tokens: 1 },
          };
      const from = i < copied ? { sessionId: fixture.copyOf, messageUuid: named(name) } : undefined;
      return `${JSON.stringify({
        parentUuid: named(more ? '' : after),
        ...(more ? { logicalParentUuid: named(after) } : {}),
        isSidechain: false,
        cwd: '/home/ada/src/long',
        sessionId: fixture.id,
        version: '2.1.300',
        type: user ? 'user' : 'assistant',
        ...(more?.['type'] === 'system' ? {} : { message }),
        uuid: named(name),
        timestamp: new Date(
          Date.parse('2026-11-01T08:00:00Z') + (n * 100 + i) * 1000,
        ).toISOString(),
        ...(from ? { forkedFrom: from } : {}),
        ...more,
      })}\n`;
    });
    await writeFile(file, text.join(''));
    const old = new Date('2026-11-01T09:00:00Z');
    await utimes(file, old, old); // or it is in use
  }
}
