import { expect, test } from 'vitest';
import { bare, plain, sentence } from './text';

test('a sentence begins and ends as one', () => {
  expect(sentence('no such session')).toBe('No such session.');
  expect(sentence('Is it running?')).toBe('Is it running?');
});

test('nothing hides in a command', () => {
  expect(bare('rm \u202efdp.exe\u0007\n\tok')).toBe('rm ⟨U+202E⟩fdp.exe⟨U+0007⟩\n\tok');
  expect(bare('ünï – 🙂')).toBe('ünï – 🙂');
});

test('colours go, words stay', () => {
  expect(plain('\u001b[2mdim\u001b[22m')).toBe('dim');
});
