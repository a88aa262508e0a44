import { expect, test } from 'vitest';
import { diff, pairs, words } from './diff';

test('lines have the numbers of both sides', () => {
  const lines = diff({ oldStart: 34, newStart: 40, lines: [' a', '-b', '+c', '+d', ' e'] });
  expect(lines.map((l) => [l.sign, l.before, l.after])).toEqual([
    [' ', 34, 40],
    ['-', 35, undefined],
    ['+', undefined, 41],
    ['+', undefined, 42],
    [' ', 36, 43],
  ]);
});

test('where the place is not known there are no numbers', () => {
  expect(diff({ lines: ['-a', '+b'] }).every((l) => !l.before && !l.after)).toBe(true);
});

test('the words that differ are marked', () => {
  const [old, now] = words('line, eof := r.half+part, err', 'line := r.half + part') ?? [[], []];
  const changed = (list: typeof old): string => list.map((w) => (w.changed ? w.text : '')).join('');
  expect(changed(old).replace(/\W+/g, ' ').trim()).toBe('eof err');
  expect(changed(now).trim()).toBe('');
});

test('lines with nothing in common are not compared', () => {
  expect(words('alpha beta gamma', 'return nil')).toBeUndefined();
});

test('a marked line is still the same line', () => {
  const lines = ['-  if (a) return b;', '-x', '+  if (a && c) return d;', '+y z', ' k'];
  const out = diff({ oldStart: 1, newStart: 1, lines });
  expect(out.map((l) => l.sign + l.words.map((w) => w.text).join(''))).toEqual(lines);
});

test('what was removed stands beside what took its place', () => {
  const lines = diff({ lines: [' a', '-b', '-c', '+d', ' e', '+f'] });
  const text = (l: (typeof lines)[0] | undefined): string =>
    l ? l.sign + l.words.map((w) => w.text).join('') : '';
  expect(pairs(lines).map((p) => [text(p.before), text(p.after)])).toEqual([
    [' a', ' a'],
    ['-b', '+d'],
    ['-c', ''],
    [' e', ' e'],
    ['', '+f'],
  ]);
});
