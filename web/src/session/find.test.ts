import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flush, serve, type Received } from '../api/testing';
import { Find, type Hit } from './find.svelte';

const snippet = (line: number, more: object = {}): object => ({
  line,
  messageId: `m${line}`,
  kind: 'answer',
  ...more,
});

let found: object;
let shown: string[];
let find: Find;
let received: Received[];
beforeEach(() => {
  found = {
    complete: true,
    hitCount: 5,
    results: [
      { sessionId: 'agent', hitCount: 2, snippets: [snippet(1)] },
      {
        sessionId: 's1',
        hitCount: 3,
        snippets: [snippet(30), snippet(10), snippet(20), snippet(5, { agentId: 'x' })],
      },
    ],
  };
  shown = [];
  received = serve({ 'GET /search': () => found });
  find = new Find((hit: Hit) => shown.push(hit.message));
});
afterEach(() => vi.unstubAllGlobals());

test('the first hit after the line that is read is shown', async () => {
  await find.search('s1', 'half', () => 11);
  expect(received[0]?.query['q']).toBe('half session:s1');
  expect(shown).toEqual(['m20']);
  expect(find.status).toBe('2 of 3 hits');
  expect(find.inAgents).toBe(2);
});

test('behind the last hit the first is shown', async () => {
  await find.search('s1', 'half', () => 100);
  expect(find.status).toBe('1 of 3 hits');
});

test('steps go round', async () => {
  await find.search('s1', 'half', () => 1);
  find.step(-1);
  find.step(1);
  expect(shown).toEqual(['m10', 'm30', 'm10']);
});

test('the same text steps, another one searches', async () => {
  await find.search('s1', 'half', () => 1);
  find.next('s1', 'half', () => 1, 1);
  expect(received).toHaveLength(1);
  find.next('s1', 'whole', () => 1, 1);
  await flush();
  expect(received).toHaveLength(2);
});

test('no hits are no hits only when the search is complete', async () => {
  found = { complete: true, hitCount: 0, results: [] };
  await find.search('s1', 'half', () => 1);
  expect(find.status).toBe('nothing found');
  expect(find.step(1)).toBe(false);
  found = { complete: false, hitCount: 0, results: [] };
  await find.search('s1', 'half', () => 1);
  expect(find.status).toContain('not complete');
});

test('a failure is said', async () => {
  vi.unstubAllGlobals();
  serve({});
  await find.search('s1', 'half', () => 1);
  expect(find.status).toBe('no such thing');
  await find.search('s1', ' ', () => 1);
  expect(find.status).toBe('');
});
