import { expect, test } from 'vitest';
import { everyDay, levels, messageHref, onScale, share, time } from './insight';

test('an address leads to its message', () => {
  expect(messageHref('c9cf#ad92')).toBe('/s/c9cf#m-ad92');
  expect(messageHref('c9cf/a6061#ad92')).toBe('/s/c9cf/a/a6061#m-ad92');
  expect(messageHref('c9cf')).toBe('/s/c9cf');
});

test('times and shares are never rounded to nothing', () => {
  expect([time(41_000), time(12 * 60_000), time(220 * 60_000)]).toEqual([
    '41 s',
    '12 m',
    '3 h 40 m',
  ]);
  expect([share(1, 1000), share(0, 10), share(1, 0)]).toEqual(['<1 %', '0 %', '–']);
});

test('the steps of a heat map are fifths of what is not zero', () => {
  expect(levels([0, 1, 2, 3, 4, 5])).toEqual([0, 1, 2, 3, 4, 5]);
  expect(levels([0, 0])).toEqual([0, 0]);
});

test('durations have their place between a tenth of a second and ten minutes', () => {
  expect([onScale(0), onScale(100), onScale(600_000), onScale(1e9)]).toEqual([0, 0, 1, 1]);
});

test('days without work stand between those with work', () => {
  const day = (date: string) => ({ date, workingMs: 1, waitingMs: 0, idleMs: 0, watched: false });
  const list = everyDay([day('2026-10-30'), day('2026-11-02')]);
  expect(list.map((d) => d.date)).toEqual(['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02']);
  expect(list[1]?.workingMs).toBe(0);
});
