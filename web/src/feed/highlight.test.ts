import { expect, test } from 'vitest';
import { tokens } from './highlight';

const found = (text: string): string[] =>
  tokens(text).map((t) => `${t.kind} ${text.slice(t.from, t.to)}`);

test('strings, comments, numbers and words', () => {
  expect(found('func f() { return "a\\"b", 12 } // end')).toEqual([
    'word func',
    'word return',
    'string "a\\"b"',
    'number 12',
    'comment // end',
  ]);
  expect(found('# note\nif x: pass')).toEqual(['comment # note', 'word if', 'word pass']);
  expect(found('url(https://a.b/#c)')).toEqual(['comment //a.b/#c)']);
});

test('a hostile text takes no longer than another', () => {
  for (const bomb of [
    '/*'.repeat(25_000),
    '"\\'.repeat(25_000),
    '`'.repeat(49_999),
    '*/ /'.repeat(12_000),
  ]) {
    const begun = process.cpuUsage();
    tokens(bomb);
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1000, 'ms of CPU').toBeLessThan(2000);
  }
});
