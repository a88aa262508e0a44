/** chance gives numbers from 0 to 1 by a seed, always the same ones. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(next: () => number, list: readonly T[]): T {
  const found = list[Math.floor(next() * list.length)];
  if (found === undefined) throw new Error('there is nothing to pick');
  return found;
}
