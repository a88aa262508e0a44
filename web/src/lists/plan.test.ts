import { expect, test } from 'vitest';
import type { Bulk } from '../lib/acts.svelte';
import { planText } from './plan';

const plan = (more: object): Bulk[] => [
  { success: [], failed: [], agentCount: 0, fileSize: 0, ...more } as unknown as Bulk,
];
const failed = [
  { sessionId: 'a', error: 'session is open' },
  { sessionId: 'b', error: 'session is open' },
];

test.each([
  ['before the server said anything', 3, undefined, '3 sessions.'],
  ['all of them', 2, plan({ success: ['a', 'b'], fileSize: 2048 }), '2 sessions, 2.0 kB.'],
  [
    'with agents',
    1,
    plan({ success: ['a'], agentCount: 2, fileSize: 900 }),
    '1 session and 2 agents, 900 B.',
  ],
  [
    'some are skipped',
    3,
    plan({ success: ['c'], failed }),
    '3 sessions. Trash would skip 2: session is open.',
  ],
  [
    'all are skipped',
    2,
    plan({ failed }),
    '2 sessions. Trash would skip all of them: session is open.',
  ],
  [
    'agents without their session',
    2,
    plan({ success: ['a'] }),
    '2 sessions. 1 selected agent can only move with the session.',
  ],
])('%s', (_, selected, given, text) => {
  expect(planText(selected, given)).toBe(text);
});
