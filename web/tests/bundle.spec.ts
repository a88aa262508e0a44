// What a browser has to load.

import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';

const built = new URL('../../internal/web/dist/assets/', import.meta.url);
const scripts = readdirSync(built).filter((name) => name.endsWith('.js'));
const text = (name: string): string => readFileSync(new URL(name, built), 'utf8');
const size = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(text(name)).length, 0);

test('all scripts together are at most 260 kB @short', () => {
  console.log(`${scripts.length} scripts, ${(size(scripts) / 1000).toFixed(1)} kB`);
  expect(scripts.length).toBeGreaterThan(5);
  expect(size(scripts)).toBeLessThanOrEqual(260_000);
});

test('what the first page loads is at most 110 kB @short', () => {
  const first = new Set<string>();
  const add = (name: string): void => {
    if (first.has(name)) return;
    first.add(name);
    // What a script imports itself; what it loads later is in a call of import().
    for (const m of text(name).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) add(m[1] ?? '');
  };
  scripts.filter((name) => /^(index|Home)-/.test(name)).forEach(add);
  console.log(`${first.size} scripts, ${(size([...first]) / 1000).toFixed(1)} kB`);
  expect(first.size).toBeGreaterThan(2);
  expect(size([...first])).toBeLessThanOrEqual(110_000);
});
