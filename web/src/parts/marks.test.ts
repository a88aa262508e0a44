import { expect, test } from 'vitest';
import { finder, pieces, runes, wordsOf } from './marks';

test('pieces are the whole text, with its hits marked', () => {
  expect(pieces('a half line', [[2, 4]])).toEqual([
    { text: 'a ', hit: false },
    { text: 'half', hit: true },
    { text: ' line', hit: false },
  ]);
  for (const marks of [
    [],
    [[0, 99]],
    [
      [5, 2],
      [1, 6],
    ],
    [[-3, 4]],
    [[4, 0]],
  ] as [number, number][][]) {
    expect(
      pieces('0123456789', marks)
        .map((p) => p.text)
        .join(''),
    ).toBe('0123456789');
  }
});

test('characters outside the first plane count as one', () => {
  const text = '🙂 half';
  const [span] = runes(text, [[2, 4]]);
  expect(text.slice(span?.[0], (span?.[0] ?? 0) + (span?.[1] ?? 0))).toBe('half');
});

test('words of a query', () => {
  expect(wordsOf('"half line" -not tool:Bash /x.y/ OR next')).toEqual(['half line', 'next']);
  expect(finder('(a.b')('x (A.B (a.b')).toEqual([
    [2, 4],
    [7, 4],
  ]);
  expect(finder('tool:Bash')('tool:Bash')).toEqual([]);
});
