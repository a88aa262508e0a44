import { expect, test } from 'vitest';
import { colorOf, colorOfModel, colorsOf } from './series';

test('a name has one colour, whatever is shown beside it', () => {
  const names = ['parser-neco', 'shop-api-k3f9', 'notes-p2q7'];
  const all = colorsOf(names);
  expect(colorsOf(names.toReversed())).toEqual(all);
  expect(colorOf('parser-neco')).toBe(colorOf('parser-neco'));
  expect(colorOf('parser-neco')).toMatch(/^var\(--s\d+\)$/);
});

test('models have the colour of their family, older ones another, and a chart each colour once', () => {
  expect(colorOfModel('claude-opus-5-5')).toBe('var(--s1)');
  expect(colorOfModel('claude-opus-4-1-20250805')).toBe('var(--s10)');
  expect(colorOfModel('claude-3-5-sonnet-20241022')).toBe('var(--s6)');
  const both = colorsOf(['claude-opus-4-1', 'claude-opus-4-5'], colorOfModel);
  expect(new Set(both.values()).size).toBe(2);
  const many = Array.from({ length: 12 }, (_, i) => `project-${i}`);
  expect(new Set(colorsOf(many).values()).size).toBe(12);
});
