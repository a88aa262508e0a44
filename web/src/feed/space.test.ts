import { expect, test } from 'vitest';
import { Space } from './space';

const rows = (page: number, n: number): { key: string; guess: number }[] =>
  Array.from({ length: n }, (_, i) => ({ key: `${page}.${i}`, guess: 20 + ((page + i) % 7) * 10 }));

const measured = new Set<string>();

// slow computes what Space answers by adding up all heights.
function slow(heights: Map<string, number>, order: string[], y: number): string {
  let top = 0;
  for (const key of order) {
    top += heights.get(key) as number;
    if (top > y) return key;
  }
  return order.at(-1) as string;
}

test('a height is found where adding up finds it', () => {
  let seed = 7;
  const random = (n: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  const space = new Space(40, 300);
  const heights = new Map<string, number>();
  const pages = Array.from({ length: 40 }, (_, p) => [`page ${p}`]);
  for (let p = 0; p < 40; p++) heights.set(`page ${p}`, 300);
  for (let step = 0; step < 400; step++) {
    const p = random(40);
    if (step % 3 === 0) {
      const list = rows(p, 1 + random(12));
      const before = new Map(pages[p]?.map((k) => [k, heights.get(k)]));
      space.fill(p, list);
      pages[p] = list.map((r) => r.key);
      for (const r of list)
        heights.set(
          r.key,
          measured.has(r.key) && before.has(r.key) ? (before.get(r.key) as number) : r.guess,
        );
      for (const k of before.keys()) if (!pages[p]?.includes(k)) measured.delete(k);
    } else if (space.has(p)) {
      const key = pages[p]?.[random(pages[p]?.length ?? 1)] as string;
      const height = 5 + random(400);
      space.measure(key, height);
      measured.add(key);
      heights.set(key, height);
    }
    const order = pages.flat();
    const total = order.reduce((sum, k) => sum + (heights.get(k) as number), 0);
    expect(space.total).toBe(total);
    const y = random(total);
    expect(space.at(y)?.key).toBe(slow(heights, order, y));
  }
});

test('a stretch is all that touches it, without gaps', () => {
  const space = new Space(20, 500);
  for (let p = 0; p < 20; p += 2) space.fill(p, rows(p, 15));
  for (let from = 0; from < space.total; from += 137) {
    const spots = space.between(from, from + 900);
    expect(spots[0]?.top).toBeLessThanOrEqual(from);
    const last = spots.at(-1);
    expect((last?.top ?? 0) + (last?.height ?? 0)).toBeGreaterThanOrEqual(
      Math.min(from + 900, space.total),
    );
    for (let i = 1; i < spots.length; i++) {
      expect(spots[i]?.top).toBe((spots[i - 1]?.top ?? 0) + (spots[i - 1]?.height ?? 0));
    }
  }
});

test('rows at the end do not move what is above', () => {
  const space = new Space(3);
  space.fill(2, rows(2, 5));
  const before = space.find('2.3');
  space.fill(2, rows(2, 9));
  space.resize(5);
  expect(space.find('2.3')).toEqual(before);
  space.resize(1);
  expect(space.find('2.3')).toBeUndefined();
});

test('50,000 turns are quick', () => {
  const space = new Space(2500);
  const begun = performance.now();
  for (let p = 0; p < 2500; p++) space.fill(p, rows(p, 25));
  for (let y = 0; y < 2000; y++)
    space.between((y * 7919) % space.total, ((y * 7919) % space.total) + 1500);
  expect(performance.now() - begun).toBeLessThan(2000);
});
