import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quote } from './resume';

test('a shell reads back what was quoted', () => {
  for (const text of [
    '/a/b c',
    "it's",
    '$(touch x)',
    '-rf',
    'a\nb',
    '`id`',
    '"',
    '!',
    '',
    '\\',
    '*',
  ]) {
    expect(execFileSync('sh', ['-c', `printf %s ${quote(text)}`], { encoding: 'utf8' })).toBe(text);
  }
});
