import { expect, test } from 'vitest';
import { visible } from '../lib/text';
import { ansi } from './ansi';

test('colours become classes', () => {
  expect(ansi('a\x1b[31mred\x1b[0m b \x1b[1;92mok\x1b[m')).toEqual([
    { text: 'a', style: '' },
    { text: 'red', style: 'c1' },
    { text: ' b ', style: '' },
    { text: 'ok', style: 'c2 b' },
  ]);
  expect(ansi('\x1b[38;5;196mx\x1b[38;2;20;200;30my\x1b[48;5;1mz')).toEqual([
    { text: 'x', style: 'c1' },
    { text: 'yz', style: 'c2' },
  ]);
});

test('everything else is seen', () => {
  expect(ansi('\x1b]0;title\x07\x1b[2J')).toEqual([{ text: '␛]0;title␇␛[2J', style: '' }]);
  expect(visible('a\u202eb\u0085c\r\nd\re\u2066')).toBe('a⟨U+202E⟩b⟨U+0085⟩c\nd␍e⟨U+2066⟩');
  expect(visible('👩‍💻\ttab\n')).toBe('👩‍💻\ttab\n');
});

test('no text is lost', () => {
  const said = Array.from({ length: 500 }, (_, i) => `\x1b[${i % 110}mw${i}`).join('');
  expect(
    ansi(said)
      .map((p) => p.text)
      .join(''),
  ).toBe(Array.from({ length: 500 }, (_, i) => `w${i}`).join(''));
});
