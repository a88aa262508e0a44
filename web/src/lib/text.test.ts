import { expect, test } from 'vitest';
import { plain, sentence } from './text';

test('a sentence begins and ends as one', () => {
  expect(sentence('no such session')).toBe('No such session.');
  expect(sentence('Is it running?')).toBe('Is it running?');
});

test('colours go, words stay', () => {
  expect(plain('\u001b[2mdim\u001b[22m')).toBe('dim');
});
