import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Event } from '../api/events';
import { flush, serve, type Received } from '../api/testing';
import { here } from '../lib/router.svelte';
import { RunPage } from './run.svelte';

let page: RunPage;
let received: Received[];
beforeEach(async () => {
  received = serve({
    'GET /runs/r7': () => ({
      id: 'r7',
      sessionId: 's1',
      logSize: 10,
      permissionMode: 'plan',
      role: 'reviewer',
    }),
    'GET /sessions/s1/blocks': () => ({ blocks: [{ kind: 'meta' }, { kind: 'text' }] }),
    'POST /runs/r7/messages': () => ({ id: 'r7' }),
    'POST /runs': () => ({ id: 'r8' }),
  });
  page = new RunPage(() => 'r7');
  await page.read();
});
afterEach(() => vi.unstubAllGlobals());

const sent = (): Received | undefined => received.findLast((r) => r.method === 'POST');

test('it shows what was said, without the notes of the client', () => {
  expect(page.blocks.value).toEqual([{ kind: 'text' }]);
});

test('events about the run or its session are read, others are not', () => {
  vi.useFakeTimers();
  const reads = (type: string, data: object): boolean => {
    page.receive({ id: '', type, data } as unknown as Event);
    const pending = vi.getTimerCount() > 0;
    vi.runOnlyPendingTimers();
    return pending;
  };
  expect(reads('run', { id: 'r7' })).toBe(true);
  expect(reads('lines', { sessionId: 's1' })).toBe(true);
  expect(reads('reset', {})).toBe(true);
  expect(reads('run', { id: 'r1', sessionId: 'other' })).toBe(false);
  expect(reads('lines', { sessionId: 'other' })).toBe(false);
  vi.useRealTimers();
});

test('a message has an id of its own, so that it is not given twice', async () => {
  expect(await page.send('go ahead')).toBe(true);
  expect(sent()).toMatchObject({ path: '/runs/r7/messages', body: { prompt: 'go ahead' } });
  expect((sent()?.body as { messageId: string }).messageId).toMatch(/^[0-9a-f-]{36}$/);
});

test('a message that was refused is not sent', async () => {
  vi.unstubAllGlobals();
  serve({});
  expect(await page.send('go ahead')).toBe(false);
});

test('a run that has ended is continued in another one, with its mode and role', async () => {
  expect(await page.resume('more')).toBe(true);
  expect(sent()?.body).toEqual({
    resume: 's1',
    prompt: 'more',
    permissionMode: 'plan',
    role: 'reviewer',
  });
  await flush();
  expect(here().path).toBe('/runs/r8');
});
