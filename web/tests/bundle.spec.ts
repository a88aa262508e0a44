// What a browser has to load.

import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';

const built = new URL('../../internal/web/dist/assets/', import.meta.url);

test('all scripts together are at most 200 kB @short', () => {
  const scripts = readdirSync(built).filter((name) => name.endsWith('.js'));
  const sizes = scripts.map((name) => gzipSync(readFileSync(new URL(name, built))).length);
  const sum = sizes.reduce((a, b) => a + b, 0);
  console.log(`${scripts.length} scripts, ${(sum / 1000).toFixed(1)} kB`);
  expect(scripts.length).toBeGreaterThan(5);
  expect(sum).toBeLessThanOrEqual(200_000);
});
