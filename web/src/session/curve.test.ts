import { expect, test } from 'vitest';
import { curve, top, type Turn } from './curve';

const none = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
const cost = (usd: number) => ({ usd, unpricedModels: [] });
const turn = (n: number, more: Partial<Turn> = {}): Turn => ({
  id: `t${n}`,
  timestamp: `2026-11-15T10:0${n}:00Z`,
  contextTokens: 1000 * n,
  usage: none,
  cost: cost(1),
  messageCount: 1,
  active: true,
  ...more,
});

test('costs of branches that were left are in the curve, their prompts are not', () => {
  const left = turn(2, { active: false });
  const spent = { usage: none, cost: cost(2), messageCount: 1 };
  const points = curve([turn(1), left, turn(3, { agents: spent })]);
  expect(points.map((p) => [p.turn.id, p.own, p.agents])).toEqual([
    ['t1', 1, 0],
    ['t3', 3, 2],
  ]);
});

test('a prompt without an answer keeps the context before it', () => {
  const points = curve([turn(4), turn(5, { contextTokens: 0 })]);
  expect(points.map((p) => p.context)).toEqual([4000, 4000]);
});

test('a cache miss belongs to the prompt before it', () => {
  const miss = { address: 's#m', sessionId: 's', timestamp: '2026-11-15T10:02:30Z' };
  const points = curve([turn(1), turn(2), turn(3)], [miss]);
  expect(points.map((p) => p.misses.length)).toEqual([0, 1, 0]);
});

test('an axis ends at a round number', () => {
  expect([top(0), top(0.8), top(57_800), top(168_000)]).toEqual([1, 0.8, 60_000, 200_000]);
});
