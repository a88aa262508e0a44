import { expect, test } from 'vitest';
import { plain, sentence } from './text';

test('a sentence starts with a capital and ends with a full stop', () => {
  expect(sentence('no such session')).toBe('No such session.');
  expect(sentence('Is it running?')).toBe('Is it running?');
});

test('colour codes are removed', () => {
  expect(plain('\u001b[2mdim\u001b[22m')).toBe('dim');
});
