import { describe, expect, it } from 'vitest';
import {
  begin,
  columns,
  csv,
  dayOf,
  hitRate,
  rectsOf,
  scaleOf,
  since,
  slots,
  type Row,
} from './chart';

const row = (from: Date, usd: number): Row =>
  ({
    group: '',
    from: from.toISOString(),
    cost: { usd, unpricedModels: [] },
    usage: { input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 5 },
    messageCount: 1,
    sessionCount: 1,
  }) as Row;

describe('time', () => {
  const sunday = new Date(2026, 10, 15, 20, 45);

  it('begins a week on Monday and a month on its first', () => {
    expect(begin('week', sunday)).toEqual(new Date(2026, 10, 9));
    expect(begin('month', sunday)).toEqual(new Date(2026, 10, 1));
  });

  it('has thirty days and ends today', () => {
    const from = since('30d', sunday) as Date;
    const list = slots('day', from, sunday);
    expect(list).toHaveLength(30);
    expect(list.at(-1)).toEqual(new Date(2026, 10, 15));
    expect(since('all', sunday)).toBeUndefined();
  });

  it('reads a day of an address', () => {
    expect(dayOf('2026-11-15')?.from).toEqual(new Date(2026, 10, 15));
    expect(dayOf('2026-02-31')).toBeUndefined();
    expect(dayOf('x')).toBeUndefined();
    expect(dayOf(null)).toBeUndefined();
  });
});

describe('columns', () => {
  const one = new Date(2026, 10, 14);
  const two = new Date(2026, 10, 15);

  it('add up, and what is in no series is the rest', () => {
    const made = columns(
      [row(two, 5)],
      [
        { name: 'a', rows: [row(two, 3)] },
        { name: 'b', rows: [row(two, 1.5)] },
      ],
      [one, two],
      'cost',
    );
    expect(made[0]).toEqual({ from: one, total: 0, parts: [0, 0, 0] });
    expect(made[1]?.parts).toEqual([3, 1.5, 0.5]);
  });

  it('stand on each other and are as high as their sum', () => {
    const rects = rectsOf({ from: one, total: 4, parts: [1, 0, 3] }, 8);
    expect(rects.map((r) => r.series)).toEqual([0, 2]);
    expect(rects[0]).toMatchObject({ y: 0.875, height: 0.125 });
    expect(rects[1]).toMatchObject({ y: 0.5, height: 0.375 });
  });
});

describe('the axis', () => {
  it('is that of the others where one day is far higher', () => {
    const s = scaleOf([0.01, 0.05, 0.19, 1.5, 0], false);
    expect(s.torn).toBe(true);
    expect(s.top).toBeLessThan(0.4);
    expect(s.top).toBeGreaterThan(0.19);
    expect(s.ticks.every((t) => t <= s.top)).toBe(true);
  });

  it('is whole when asked, and where nothing stands out', () => {
    expect(scaleOf([0.01, 0.05, 0.19, 1.5], true)).toMatchObject({ torn: false, top: 1.5 });
    expect(scaleOf([1, 2, 3, 4], false).torn).toBe(false);
    expect(scaleOf([5, 1], false).torn).toBe(false); // two days are too few to call one of them usual
  });

  it('holds for nothing at all', () => {
    expect(scaleOf([], false).top).toBeGreaterThan(0);
    expect(scaleOf([0, 0], false).ticks.length).toBeGreaterThan(1);
  });

  it('fills a torn column by shares', () => {
    const rects = rectsOf({ from: new Date(), total: 10, parts: [9, 1] }, 2);
    expect(rects.map((r) => r.height)).toEqual([0.9, 0.1]);
  });
});

describe('csv', () => {
  it('quotes, and never begins a formula', () => {
    expect(csv([['a,b', '=1+1', 'say "x"', -3]])).toBe('"a,b",\'=1+1,"say ""x""",-3\r\n');
  });
});

it('has no rate of hits for nothing', () => {
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  expect(hitRate(none)).toBe('–');
  expect(hitRate({ ...none, cacheRead: 9, input: 1 })).toBe('90.0');
});
