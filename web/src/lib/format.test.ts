import { expect, test } from 'vitest';
import { ago, bytes, lasting, many, money, short } from './format';

test.each([
  [short(999), '999'],
  [short(57_800), '57.8k'],
  [bytes(214_000), '214 kB'],
  [bytes(1_500_000), '1.5 MB'],
  [money(0), '$0.00'],
  [money(0.0004), '<$0.01'],
  [money(1234.5), '$1,234.50'],
  [lasting(4200), '4.2 s'],
  [lasting(41_000), '41 s'],
  [lasting(3_723_000), '1:02:03'],
  [many(1, 'session'), '1 session'],
  [many(1200, 'branch', 'branches'), '1,200 branches'],
  [ago('2026-11-01T00:00:00Z', Date.parse('2026-11-01T00:02:30Z')), '2m'],
])('%s', (got, want) => expect(got).toBe(want));
