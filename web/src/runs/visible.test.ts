import { describe, expect, it } from 'vitest';
import { changeOf, fields, visible } from './visible';

const drawn = (text: string): string =>
  visible(text)
    .map((p) => p.text)
    .join('');

describe('what is about to be allowed', () => {
  it('shows what would turn or hide it', () => {
    expect(drawn('rm \u202Egnp.x')).toBe('rm ⟨U+202E⟩gnp.x');
    expect(drawn('a\u200Bb\u0000c\u001b[2J')).toBe('a⟨U+200B⟩b⟨U+0000⟩c⟨U+001B⟩[2J');
    expect(drawn('x\rrm -rf')).toBe('x⟨U+000D⟩rm -rf');
    expect(drawn('\u{e0041}')).toBe('⟨U+E0041⟩');
    expect(drawn('a\u00a0b')).toBe('a⟨U+00A0⟩b');
  });

  it('leaves what people write', () => {
    const text = 'go test ./…\n\tif x → y; 京都 🗼 é';
    expect(visible(text)).toEqual([{ text, hidden: false }]);
    expect(visible('')).toEqual([]);
  });

  it('leaves nothing out', () => {
    expect(fields({ command: 'ls', timeout: 5, env: { A: 'b' } })).toEqual([
      { name: 'command', text: 'ls' },
      { name: 'timeout', text: '5' },
      { name: 'env', text: '{\n  "A": "b"\n}' },
    ]);
    expect(fields(['x'])).toEqual([{ name: 'input', text: '[\n  "x"\n]' }]);
    expect(fields(null)).toEqual([{ name: 'input', text: 'null' }]);
  });

  it('shows an edit as a change', () => {
    expect(changeOf({ old_string: 'a', new_string: 'b\nc' })).toEqual([
      { sign: '-', text: 'a' },
      { sign: '+', text: 'b' },
      { sign: '+', text: 'c' },
    ]);
    expect(changeOf({ content: 'x' })).toEqual([{ sign: '+', text: 'x' }]);
    expect(changeOf({ command: 'ls' })).toBeUndefined();
  });
});
