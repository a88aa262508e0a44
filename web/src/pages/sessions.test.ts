import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flush, serve, type Received } from '../api/testing';
import { go, here } from '../lib/router.svelte';
import { toasts } from '../lib/toasts.svelte';
import { SessionsPage } from './sessions.svelte';

const rows = ['a', 'b', 'c'].map((id) => ({ id, root: '/h', title: `Title ${id}` }));

let page: SessionsPage;
let received: Received[];

beforeEach(async () => {
  received = serve({
    'GET /sessions': () => ({ sessions: rows, total: 5, hidden: { agent: 2 }, complete: true }),
    'GET /sessions/b/agents': () => ({ agents: [{ id: 'x' }] }),
    'GET /activity': () => ({ acts: [{ id: 7 }] }),
    'PUT /sessions/a': ({ body }) => ({ ...rows[0], ...(body as object) }),
    'POST /sessions/bulk': () => ({
      success: ['a'],
      failed: [{ sessionId: 'b', error: 'session is open' }],
      actId: 9,
    }),
  });
  go('/sessions?project=parser');
  page = new SessionsPage(() => undefined);
  page.read();
  await flush();
});
afterEach(() => vi.unstubAllGlobals());

const sent = (method: string): Received[] => received.filter((r) => r.method === method);

test('the row of the address becomes the current one, and is not moved to twice', () => {
  expect(page.rowOf('b')).toBe(1);
  page.moveTo('b@/h');
  expect(here().query.get('at')).toBe('b');
  expect(page.rowOf('b')).toBeUndefined();
  expect(page.rowOf('not loaded')).toBe(1);
});

test('an address of another page is left alone', () => {
  go('/s/a');
  page.moveTo('b@/h');
  expect(here().query.get('at')).toBeNull();
});

test('an act is about the current row, the selection, or all that match', () => {
  expect(page.target).toEqual(['a']);
  page.toggle('b@/h', false);
  page.toggle('c@/h', true);
  expect(page.target).toEqual(['b', 'c']);
  page.selection.selectAll(page.list.rows);
  expect(page.target).toEqual({ filter: { project: 'parser' } });
});

test('what could not be archived stays selected', async () => {
  page.toggle('a@/h', false);
  page.toggle('b@/h', false);
  page.archive();
  expect(page.busy).toBe('Archiving 2 sessions…');
  await flush();
  expect(sent('POST')[0]?.body).toMatchObject({
    sessionIds: ['a', 'b'],
    operation: { action: 'archive' },
  });
  expect([...page.selection.sessions.keys()]).toEqual(['b']);
  expect(page.busy).toBe('');
  expect(toasts().at(-1)?.text).toBe('Archived 1 session. Skipped 1 session: session is open.');
});

test('in the archive the same act unarchives', async () => {
  go('/sessions?archived=only');
  page.archive();
  await flush();
  expect(sent('POST')[0]?.body).toMatchObject({ operation: { action: 'unarchive' } });
});

test('a title is set, removed and left alone', async () => {
  await page.rename('a', '  New ');
  expect(sent('PUT').at(-1)?.body).toEqual({ title: 'New' });
  expect(page.list.rows[0]?.title).toBe('New');
  await page.rename('a', '');
  expect(sent('PUT').at(-1)?.body).toEqual({ title: null });
  await page.rename('b', 'Title b');
  await page.rename('b', undefined);
  expect(sent('PUT')).toHaveLength(2);
});

test('agents are unfolded below their session, and folded again', async () => {
  await page.fold('b');
  expect(page.items.map((i) => i.key)).toEqual(['a@/h', 'b@/h', 'b@/h/x', 'c@/h']);
  await page.fold('b');
  expect(page.items).toHaveLength(3);
});

test('a dialog does not open without its sessions', async () => {
  vi.unstubAllGlobals();
  serve({});
  page.selection.selectAll(page.list.rows);
  await page.openDialog('tags');
  expect(page.dialog).toBe('');
});

test('back closes the dialog first, then clears the selection, then leaves', async () => {
  page.toggle('a@/h', false);
  await page.openDialog('tags');
  expect([page.back(), page.dialog, page.selection.size]).toEqual([true, '', 1]);
  expect([page.back(), page.selection.size]).toEqual([true, 0]);
  expect(page.back()).toBe(false);
});

test('other filters clear the selection', () => {
  page.toggle('a@/h', false);
  page.read();
  expect(page.selection.size).toBe(1);
  go('/sessions?project=notes');
  page.read();
  expect(page.selection.size).toBe(0);
});
