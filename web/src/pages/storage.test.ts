import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Schemas } from '../api/client';
import { flush, serve, type Received } from '../api/testing';
import { toasts } from '../lib/toasts.svelte';
import { largest, namesOf, removables, StoragePage, type Removable } from './storage.svelte';

const clean = {
  unneeded: [
    {
      root: '/h',
      kind: 'shell-snapshots',
      what: 'snapshots of the shell',
      why: 'no session uses them',
      fileCount: 3,
      unitCount: 3,
      fileSize: 2048,
    },
  ],
  sessions: [
    { days: 90, sessionCount: 4, copiedCount: 0, fileSize: 4096 },
    { days: 180, sessionCount: 0, copiedCount: 0, fileSize: 0 },
    { empty: true, sessionCount: 2, copiedCount: 1, fileSize: 10 },
  ],
} as unknown as Schemas['CleanPage'];

const row = (i: number): Removable => removables(clean)[i] as Removable;

let page: StoragePage;
let received: Received[];
beforeEach(() => {
  received = serve({
    'GET /clean': () => clean,
    'GET /storage': () => ({ homes: [] }),
    'GET /projects': () => ({ projects: [] }),
    'POST /clean': ({ query }) => {
      if (query['async']) return { id: 'j1', state: 'running' };
      return { changed: 4, failed: 0, results: [] };
    },
    'GET /jobs/j1': () => ({
      id: 'j1',
      state: 'done',
      result: { changed: 3, failed: 1, results: [{ actId: 5 }, {}] },
    }),
  });
  page = new StoragePage();
});
afterEach(() => {
  page.close();
  vi.unstubAllGlobals();
});

test('files that nothing needs come first, and a row without sessions is no row', () => {
  expect(removables(clean).map((r) => r.key)).toEqual(['/hshell-snapshots', 'older-90', 'empty']);
  expect(row(0)).toMatchObject({
    title: 'Snapshots of the shell',
    about: ['shell-snapshots', '3 files', '2.0 kB'],
    why: 'Safe to remove: No session uses them.',
    what: { unneeded: ['shell-snapshots'] },
  });
  expect(row(1).what).toEqual({ sessions: { olderThanDays: 90 } });
  expect(row(1).why).toContain('None copied so far.');
  expect(row(2).what).toEqual({ sessions: { empty: true } });
  expect(row(2).why).toContain('1 of 2 copied so far.');
});

test('the largest shares have rows, the rest one', () => {
  const share = (name: string, fileSize: number) => ({ name, fileSize, fileCount: 1 });
  const shares = Array.from({ length: 11 }, (_, i) => share(`d${i}`, 11 - i));
  const rows = largest([...shares, share('none', 0)], new Map([['d0', 'parser']]));
  expect(rows).toHaveLength(9);
  expect(rows[0]).toEqual(['parser', 11]);
  expect(rows[8]).toEqual(['3 others', 6]);
});

test('nothing is removed before it is confirmed', async () => {
  await page.ask(row(1));
  expect(received.at(-1)?.body).toEqual({ sessions: { olderThanDays: 90 }, dryRun: true });
  expect([page.asking, page.plan?.changed]).toEqual(['older-90', 4]);
});

test('a plan that comes late is not that of another row', async () => {
  const first = page.ask(row(1));
  page.asking = 'empty';
  await first;
  expect(page.plan).toBeUndefined();
});

test('a plan that fails asks nothing', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')));
  await page.ask(row(1));
  expect(page.asking).toBe('');
});

test('what was removed can be undone', async () => {
  await page.remove(row(1));
  await flush();
  expect(toasts().at(-1)).toMatchObject({
    text: 'Moved 3 to the trash. 1 skipped.',
    action: 'Undo',
  });
});

test('a directory that several projects share has the names of all', () => {
  const names = namesOf([
    { dirName: '-a-my-app', name: 'my-app' },
    { dirName: '-a-lib', name: 'lib' },
    { dirName: '-a-my-app', name: 'my.app' },
  ]);
  expect([...names]).toEqual([
    ['-a-my-app', 'my-app, my.app'],
    ['-a-lib', 'lib'],
  ]);
});
