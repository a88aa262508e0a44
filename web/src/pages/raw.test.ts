import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serve } from '../api/testing';
import { kindOf, RawPage, textOf, type Line } from './raw.svelte';

const last = 1200;
const damaged = 777;
const line = (n: number): object =>
  n === damaged ? { line: n, text: '{"torn' } : { line: n, raw: { type: 'user', n } };

let page: RawPage;
beforeEach(() => {
  serve({
    'GET /sessions/s1/raw': ({ query }) => {
      const from = Number(query['line']);
      const to = Math.min(last + 1, from + Number(query['limit']));
      const lines = Array.from({ length: Math.max(0, to - from) }, (_, i) => line(from + i));
      return { file: 's1.jsonl', lines, ...(to <= last ? { nextLine: to } : {}) };
    },
  });
  page = new RawPage(() => 's1');
});
afterEach(() => vi.unstubAllGlobals());

const shown = (): (number | undefined)[] => [page.lines[0]?.line, page.lines.at(-1)?.line];

test('a line is shown with some before it', async () => {
  await page.open(100);
  expect(shown()).toEqual([95, 134]);
  expect(page.earlier).toBe(60);
  await page.open(2);
  expect(shown()).toEqual([1, 40]);
  expect(page.earlier).toBeUndefined();
});

test('more lines follow until the end, and the first ones go', async () => {
  await page.open(800);
  for (let i = 0; i < 20; i++) await page.more();
  expect(shown()).toEqual([801, 1200]);
  expect(page.next).toBeUndefined();
  await page.open(1);
  for (let i = 0; i < 15; i++) await page.more();
  expect(shown()).toEqual([241, 640]);
});

test('the damaged line is found', async () => {
  expect(await page.findDamaged()).toBe(damaged);
});

test('a failure is shown', async () => {
  vi.unstubAllGlobals();
  serve({});
  await page.open(1);
  expect([page.ready, page.problem?.status]).toEqual([true, 404]);
});

test('a line that is not JSON is its text', () => {
  const torn = line(damaged) as Line;
  expect([kindOf(torn), textOf(torn)]).toEqual(['not JSON', '{"torn']);
  expect([kindOf(line(1) as Line), textOf(line(1) as Line)]).toEqual([
    'user',
    '{"type":"user","n":1}',
  ]);
});
