import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flush, serve, type Received } from '../api/testing';
import { go, here } from '../lib/router.svelte';
import { TreePage, type TreeRow } from './tree.svelte';

// A prompt with two answers, the second one active and continued, and another
// session that was forked from it.
const turn = (id: string, parentId: string | undefined, role: string, active = true): object => ({
  id,
  ...(parentId ? { parentId } : {}),
  role,
  active,
  text: `text of ${id}`,
  messageIds: [`${id}-last`],
});
const turns = [
  turn('p1', undefined, 'prompt'),
  turn('a1', 'p1', 'answer', false),
  turn('a2', 'p1', 'answer'),
  turn('p2', 'a2', 'prompt'),
];

let page: TreePage;
let received: Received[];
let shared: number; // turns of the session that its fork has too
beforeEach(async () => {
  received = serve({
    'GET /sessions/s1/tree': () => ({
      sessionId: 's1',
      turns,
      conversations: [{ leaf: 'a1-last' }, { leaf: 'p2', active: true }],
    }),
    'GET /sessions': () => ({ sessions: [{ id: 's2', title: 'Fork' }] }),
    'GET /sessions/s2/tree': () => ({
      sessionId: 's2',
      turns: [...turns.slice(0, shared), turn('p9', 'a2', 'prompt')],
    }),
    'GET /sessions/s1/blocks': () => ({
      blocks: [{ kind: 'call' }, { kind: 'text', text: 'Done.' }, { kind: 'text', aborted: true }],
    }),
  });
  shared = 3;
  go('/s/s1/tree');
  page = new TreePage(() => 's1');
  await page.open();
});
afterEach(() => vi.unstubAllGlobals());

const row = (id: string): TreeRow => page.all.find((r) => r.id === id) as TreeRow;

test('another session stands below the last turn that both have', () => {
  expect(page.all.map((r) => [r.id, r.turns[0]?.parentId])).toEqual([
    ['p1', undefined],
    ['a1', 'p1'],
    ['a2', 'p1'],
    ['s2', 'a2'],
    ['p2', 'a2'],
  ]);
  expect(page.forkCount).toBe(2);
});

test('the conversation that a resume continues is picked', () => {
  expect(page.picked).toEqual(['p2']);
});

test('of two picks the older one goes, and a row is picked off again', () => {
  page.pick(row('a1'));
  expect([page.letterOf(row('a1')), page.picked]).toEqual(['B', ['p2', 'a1-last']]);
  page.pick(row('s2'));
  expect(page.picked).toEqual(['a1-last', 's2:']);
  page.pick(row('s2'));
  expect(page.picked).toEqual(['a1-last']);
  page.pick(row('p1')); // no conversation ends there
  expect(page.picked).toEqual(['a1-last']);
});

test('another session is the second side of a comparison', () => {
  page.picked = ['s2:', 'a1-last'];
  page.compare();
  expect(here().path).toBe('/s/s1/compare/a1-last...s2:');
});

test('a row opens on its branch, and another session opens itself', () => {
  page.openRow(row('a1'));
  expect(here()).toMatchObject({ path: '/s/s1/b/a1-last', hash: 'm-a1' });
  page.openRow(row('a2'));
  expect(here()).toMatchObject({ path: '/s/s1/b/a2', hash: 'm-a2' });
  page.openRow(row('s2'));
  expect(here().path).toBe('/s/s2');
});

test('how a row ended is asked once', async () => {
  const asked = (): number => received.filter((r) => r.path === '/sessions/s1/blocks').length;
  expect(page.tailOf(row('a1'))).toBeUndefined();
  expect(page.tailOf(row('a1'))).toBeUndefined();
  await flush();
  expect(page.tailOf(row('a1'))).toEqual({ text: '', answers: 1, calls: 1, stopped: true });
  expect(asked()).toBe(1);
  page.tailOf(row('s2'));
  expect(asked()).toBe(1);
});

test('a session that was forked from the end has a row, and the end stays one', async () => {
  shared = 4;
  await page.open();
  expect(page.all.map((r) => r.id)).toEqual(['p1', 'a1', 'a2', 'p2', 's2']);
  expect(page.leafOf(row('p2'))?.active).toBe(true);
  expect(page.letterOf(row('p2'))).toBe('A');
  expect(page.leafOf(row('a2'))).toBeUndefined();
});

test('a second attempt shows the tree', async () => {
  vi.unstubAllGlobals();
  serve({});
  await page.open();
  expect([page.problem?.status, page.ready]).toEqual([404, false]);
  vi.unstubAllGlobals();
  serve({ 'GET /sessions/s1/tree': () => ({ sessionId: 's1', turns, conversations: [] }) });
  await page.open();
  expect([page.problem, page.ready]).toEqual([undefined, true]);
});

test('the filter looks at the texts of all turns of a row', () => {
  page.filter = 'TEXT OF A1';
  expect(page.rows.map((r) => r.id)).toEqual(['a1']);
});
