import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flush, serve } from '../api/testing';
import { go, here } from '../lib/router.svelte';
import { LivePage } from './live.svelte';

const session = (id: string, word: string): object => ({
  id,
  origin: 'source',
  state: { word },
  lastActivityAt: '2026-11-15T20:42:07Z',
});

let page: LivePage;
beforeEach(async () => {
  serve({
    'GET /runs': () => ({ runs: [] }),
    'GET /sessions': () => ({
      sessions: [session('a', 'idle'), session('b', 'needs you'), session('c', 'idle')],
    }),
  });
  go('/live');
  page = new LivePage();
  page.read();
  await flush();
});
afterEach(() => vi.unstubAllGlobals());

test('the most urgent pane is first, and states are counted', () => {
  expect(page.panes.map((p) => p.session.id)).toEqual(['b', 'a', 'c']);
  expect(page.counts).toEqual([
    { word: 'needs you', n: 1 },
    { word: 'idle', n: 2 },
  ]);
});

test('all that run are counted, and panes are shown page by page', async () => {
  const ids = Array.from({ length: 20 }, (_, i) => `s${String(i).padStart(2, '0')}`);
  const received = serve({
    'GET /runs': () => ({ runs: [] }),
    'GET /sessions': ({ query }) =>
      query['cursor'] === 'two'
        ? { sessions: [session('last', 'needs you')], hasMore: false }
        : { sessions: ids.map((id) => session(id, 'working')), hasMore: true, next: 'two' },
  });
  page.read();
  await flush();
  expect(received.filter((r) => r.path === '/sessions')).toHaveLength(2);
  expect(page.counts).toEqual([
    { word: 'needs you', n: 1 },
    { word: 'working', n: 20 },
  ]);
  expect(page.pages).toBe(4);
  expect(page.panes.map((p) => p.session.id)).toEqual(['last', 's00', 's01', 's02', 's03', 's04']);
  page.turn(1);
  page.turn(9);
  expect(page.panes.map((p) => p.session.id)).toEqual(['s17', 's18', 's19']);
  page.turn(-9);
  expect(page.panes[0]?.session.id).toBe('last');
});

test('the address limits the panes, and keys act on one of them', () => {
  page.at = 2;
  go('/live?panes=2');
  expect(page.panes).toHaveLength(2);
  expect(page.chosen?.id).toBe('a');
});

test('one pane alone, and all that were watched before', () => {
  go('/live?watch=a,c');
  page.toggleOnly();
  expect(Object.fromEntries(here().query)).toEqual({ watch: 'b', only: '1', were: 'a,c' });
  page.toggleOnly();
  expect(Object.fromEntries(here().query)).toEqual({ watch: 'a,c' });
});

test('the chosen pane pauses, and follows again', () => {
  page.togglePause();
  expect([...page.paused]).toEqual(['b']);
  page.togglePause();
  expect(page.paused.size).toBe(0);
});

test('smells are summed up over the panes that are shown', () => {
  page.setSmells('a', 2);
  page.setSmells('b', 1);
  page.setSmells('gone', 9);
  expect(page.smells).toBe(3);
});
