import { describe, expect, it } from 'vitest';
import { accepted, canComplete, finished, hint, offers, type Facets } from './complete';

const facets: Facets = {
  state: [
    { value: 'needs you', count: 2 },
    { value: 'ended', count: 18 },
  ],
  gitBranch: [
    { value: 'main', count: 33 },
    { value: 'feat/a b', count: 1 },
  ],
  project: [{ value: 'parser-5ebz', label: '/home/ada/src/parser', count: 12 }],
};
const at = (text: string): { text: string; about: string }[] => offers(text, text.length, facets);

describe('a search', () => {
  it('offers nothing for plain words', () => {
    for (const text of ['', 'half line', 'http://x', 'foo:bar', '"state']) {
      expect(canComplete(text, text.length)).toBe(false);
      expect(at(text)).toEqual([]);
    }
  });

  it('offers every key after a colon, and those with a prefix', () => {
    expect(at('half :').length).toBeGreaterThan(15);
    expect(at(':sta').map((o) => o.text)).toEqual(['started:', 'state:']);
  });

  it('offers values with the number of their sessions', () => {
    expect(at('state:n')).toEqual([{ text: 'state:needs-you ', about: '2' }]);
    expect(at('-state:end')).toEqual([{ text: '-state:ended ', about: '18' }]);
    expect(at('state:ended,nee').map((o) => o.text)).toEqual(['state:ended,needs-you ']);
    expect(at('project:par')).toEqual([
      { text: 'project:parser-5ebz ', about: '/home/ada/src/parser · 12' },
    ]);
    expect(at('branch:feat').map((o) => o.text)).toEqual(['branch:"feat/a b" ']);
  });

  it('offers nothing for a complete value, and hints at keys without values', () => {
    expect(at('state:ended')).toEqual([]);
    expect(at('file:')).toEqual([]);
    expect(hint('file:', 5)).toContain('file:parser.go');
  });

  it('leaves out a key that is still being typed', () => {
    for (const text of ['half state:', 'half :', 'half :sta', 'half -tag:']) {
      expect(finished(text)).toBe('half');
    }
    for (const text of ['half', 'half foo:', 'state:ended', '12:30'])
      expect(finished(text)).toBe(text);
  });

  it('inserts an offer at the caret', () => {
    const [first] = offers('a state:n b', 9, facets);
    expect(first).toBeDefined();
    if (first) {
      expect(accepted('a state:n b', 9, first)).toEqual({ text: 'a state:needs-you b', caret: 17 });
      expect(accepted('state:n', 7, first)).toEqual({ text: 'state:needs-you ', caret: 16 });
    }
  });
});
