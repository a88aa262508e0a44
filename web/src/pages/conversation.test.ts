import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Problem } from '../api/client';
import type { Event } from '../api/events';
import { flush, serve, type Received } from '../api/testing';
import type { Block } from '../feed/block';
import type { FeedRow } from '../feed/rows';
import type { View } from '../feed/view';
import { go, here } from '../lib/router.svelte';
import { ConversationPage, isFork } from './conversation.svelte';

interface Said {
  blocks: Block[];
  turns: { id: string; siblings?: object }[];
}

const block = (turn: number, kind: string, more: object = {}): Block =>
  ({ kind, turn, line: turn + 1, messageId: `${kind}-${turn}`, text: 'x', ...more }) as Block;

let said: Said;
let active: string; // leaf of the conversation that a resume continues
let received: Received[];
let page: ConversationPage;
let close: () => void;
const view = {
  first: () => 'prompt-0',
  last: () => 'text-1',
  to: vi.fn(),
  into: vi.fn(),
  focus: vi.fn(),
  beside: vi.fn<View['beside']>(),
} as unknown as View & { to: ReturnType<typeof vi.fn>; beside: ReturnType<typeof vi.fn> };

beforeEach(() => {
  said = {
    blocks: [block(0, 'prompt'), block(0, 'text'), block(1, 'prompt'), block(1, 'text')],
    turns: [{ id: 'prompt-0' }, { id: 'prompt-1' }],
  };
  active = 'text-1';
  received = serve({
    'GET /sessions/s1': () => ({ id: 's1', origin: 'source', state: { word: 'working' } }),
    'GET /sessions/s1/blocks': () => ({
      ...said,
      leaf: 'text-1',
      turnCount: said.turns.length,
      turnsBefore: 0,
      turnsAfter: 0,
    }),
    'GET /sessions/s1/outline': () => ({ items: [], forks: [] }),
    'GET /sessions/s1/conversations': () => ({ conversations: [{ leaf: active, active: true }] }),
  });
  history.replaceState(null, '');
  go('/s/s1');
  vi.clearAllMocks();
});
afterEach(() => {
  close();
  page.close();
  vi.unstubAllGlobals();
});

async function open(id = 's1', leaf?: string): Promise<void> {
  page = new ConversationPage(
    () => id,
    () => leaf,
  );
  page.view = view;
  page.openSession();
  close = page.open();
  await flush();
}

const event = (type: string, data: object): void =>
  page.receive({ id: '1', type, data } as unknown as Event);
const lines = async (): Promise<void> => {
  const read = (): number => received.filter((r) => r.path === '/sessions/s1/blocks').length;
  const before = read();
  event('lines', { sessionId: 's1' });
  await vi.waitFor(() => expect(read()).toBeGreaterThan(before));
  await flush();
};

test('the end is shown, and a live session is live', async () => {
  await open();
  expect([page.pinned, page.live, page.loading, page.cursor]).toEqual([true, true, false, '']);
});

test('a message in the address is where reading starts', async () => {
  go('/s/s1#m-prompt-1');
  await open();
  expect([page.pinned, page.cursor]).toEqual([false, 'prompt-1']);
});

test('a session that is not there may appear, but not for ever', async () => {
  await open('s2');
  expect(page.problem?.message).toBe('There is no session s2.');
  expect(page.mayAppear()).toBe(true);
  page.attempts = 5;
  expect(page.mayAppear()).toBe(false);
  page.problem = new Problem(0, 'offline', '', '');
  expect(page.mayAppear()).toBe(true);
  page.problem = new Problem(500, 'broken', '', '');
  expect(page.mayAppear()).toBe(false);
});

test('what is written is counted as unread while the end is not on the screen', async () => {
  await open();
  said.blocks.push(block(1, 'notice', { line: 9 }));
  await lines();
  expect(page.unread).toBe(0);
  page.pinned = false;
  said.blocks.push(block(1, 'boundary', { line: 10 }));
  await lines();
  expect(page.unread).toBe(1);
});

test('lines of an agent or of another session are not read', async () => {
  await open();
  vi.useFakeTimers();
  event('lines', { sessionId: 's1', agentId: 'x' });
  event('lines', { sessionId: 'other' });
  event('inbox', { prompts: [] });
  expect(vi.getTimerCount()).toBe(0);
  event('lines', { sessionId: 's1' });
  expect(vi.getTimerCount()).toBe(1);
  vi.useRealTimers();
});

test('a session that continues on another branch says where', async () => {
  await open();
  active = 'elsewhere';
  await lines();
  expect(page.continuedAt).toBe('elsewhere');
});

test('a branch that was opened by its leaf says nothing of another', async () => {
  await open('s1', 'text-1');
  active = 'elsewhere';
  await lines();
  expect(page.continuedAt).toBe('');
});

test('a file that was rewritten is read again', async () => {
  await open();
  event('replaced', { sessionId: 's1' });
  expect(page.attempts).toBe(1);
});

test('jump scrolls to a message, or opens the session there', async () => {
  await open();
  await page.jump('text-0');
  expect(view.to).toHaveBeenCalledWith('text-0');
  expect(page.cursor).toBe('text-0');
  said.turns = [];
  await page.jump('unknown');
  expect(here().hash).toBe('m-unknown');
});

test('the branch beside this one is opened at its message', async () => {
  const turns = [
    { id: 'prompt-1', leaf: 'text-1', turnCount: 1 },
    { id: 'retry', leaf: 'end', turnCount: 1 },
  ];
  said.turns[1] = { id: 'prompt-1', siblings: { turns } };
  await open();
  page.cursor = 'text-1';
  view.beside.mockImplementation((_, __, want) =>
    want(page.rowOf('prompt-1') as FeedRow) ? 'prompt-1' : undefined,
  );
  expect(isFork(page.rowOf('prompt-1') as FeedRow)).toBe(true);
  page.stepBranch(1);
  expect(here()).toMatchObject({ path: '/s/s1/b/end', hash: 'm-retry' });
  page.stepBranch(-1); // there is none before
  expect(here().path).toBe('/s/s1/b/end');
});

test('a hit in a group of calls unfolds the group and the call', async () => {
  await open();
  const blocks = [block(3, 'call'), block(3, 'call', { messageId: 'c2', also: ['result'] })];
  page.unfold({ kind: 'group', key: 'g', blocks } as unknown as FeedRow, 'result');
  expect([...page.folds.keys()]).toEqual(['g …', 'g/1']);
  expect(page.uncut).toBe('result');
});

test('a reference names the session and the message as the commands accept them', async () => {
  await open();
  expect(page.reference()).toBe('s1');
  page.cursor = 'prompt-1';
  expect(page.reference()).toBe('s1#prompt-1');
});

test('the place is saved in the history, without the number of the row', async () => {
  await open();
  page.pinned = false;
  page.scrolled('prompt-1.2');
  page.scrolled('text-0.1');
  await vi.waitFor(() => expect(history.state).toMatchObject({ anchor: 'text-0' }));
});
