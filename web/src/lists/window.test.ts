import { expect, test } from 'vitest';
import { revealed, visible } from './window';

test('the rows on the screen are in the DOM, and a few others', () => {
  for (let rows = 0; rows < 40; rows++) {
    for (let top = 0; top <= rows * 48; top += 37) {
      const { from, to } = visible(rows, 48, top, 300);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(rows);
      expect(to - from).toBeLessThanOrEqual(24);
      for (let i = 0; i < rows; i++) {
        const seen = (i + 1) * 48 > top && i * 48 < top + 300;
        if (seen) expect(i >= from && i < to).toBe(true);
      }
    }
  }
});

test('scrolling to a row moves the list no more than needed', () => {
  expect(revealed(3, 48, 0, 480)).toBe(0);
  expect(revealed(10, 48, 0, 480)).toBe(48);
  expect(revealed(2, 48, 480, 480)).toBe(96);
});
