import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flush, serve } from '../api/testing';
import { readInbox } from '../lib/inbox.svelte';
import type { Session } from '../lib/session';
import { HomePage, permissionOf } from './home.svelte';

const session = (id: string, word: string): object => ({ id, origin: 'source', state: { word } });

let page: HomePage;
beforeEach(async () => {
  serve({
    'GET /inbox': () => ({ prompts: [{ id: 'q1', sessionId: 'n1' }] }),
    'GET /sessions': ({ query }) => ({
      total: 9,
      sessions: query['state']
        ? [session('n1', 'needs you'), session('n2', 'needs you'), session('w', 'working')]
        : [session('w', 'working'), session('r1', 'idle'), session('r2', 'ended')],
    }),
  });
  page = new HomePage();
  page.read();
  await readInbox();
  await flush();
});
afterEach(() => {
  page.close();
  vi.unstubAllGlobals();
});

const ids = (list: readonly Session[]): string[] => list.map((s) => s.id);

test('a session is shown once: what can be answered here is a card of the inbox', () => {
  expect(ids(page.needs)).toEqual(['n2']);
  expect(page.asking).toBe(2);
  expect(ids(page.working)).toEqual(['w']);
  expect(ids(page.rest)).toEqual(['r1', 'r2']);
});

test('keys walk through all of them in the order of the page', () => {
  expect(page.current).toBeUndefined();
  const seen: (string | undefined)[] = [];
  for (let i = 0; i < 5; i++) {
    page.step(1);
    seen.push(page.current?.id);
  }
  expect(seen).toEqual(['n2', 'w', 'r1', 'r2', 'r2']);
  page.step(-9);
  expect(page.current?.id).toBe('n2');
});

test('a permission names its tool and its input, of any number of lines', () => {
  const asks = (waitingFor: string) => permissionOf({ state: { waitingFor } } as Session);
  expect(asks('permission: Bash rm -rf build\nls')).toEqual(['Bash', 'rm -rf build\nls']);
  expect(asks('permission: WebSearch')).toEqual(['WebSearch', '']);
  expect(asks('a question')).toBeUndefined();
});
