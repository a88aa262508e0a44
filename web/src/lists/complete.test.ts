import { describe, expect, it } from 'vitest';
import { asksFor, hint, meant, offers, taken, type Facets } from './complete';

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
const at = (text: string): { put: string; about: string }[] => offers(text, text.length, facets);

describe('a search', () => {
  it('offers nothing to who types words', () => {
    for (const text of ['', 'half line', 'http://x', 'foo:bar', '"state']) {
      expect(asksFor(text, text.length)).toBe(false);
      expect(at(text)).toEqual([]);
    }
  });

  it('offers every key behind a colon, and those that begin so', () => {
    expect(at('half :').length).toBeGreaterThan(15);
    expect(at(':sta').map((o) => o.put)).toEqual(['started:', 'state:']);
  });

  it('offers values with how many sessions have them', () => {
    expect(at('state:n')).toEqual([{ put: 'state:needs-you ', about: '2' }]);
    expect(at('-state:end')).toEqual([{ put: '-state:ended ', about: '18' }]);
    expect(at('state:ended,nee').map((o) => o.put)).toEqual(['state:ended,needs-you ']);
    expect(at('project:par')).toEqual([
      { put: 'project:parser-5ebz ', about: '/home/ada/src/parser · 12' },
    ]);
    expect(at('branch:feat').map((o) => o.put)).toEqual(['branch:"feat/a b" ']);
  });

  it('is silent when a value is whole, and tells of keys without values', () => {
    expect(at('state:ended')).toEqual([]);
    expect(at('file:')).toEqual([]);
    expect(hint('file:', 5)).toContain('file:parser.go');
  });

  it('does not ask for what is still being typed', () => {
    for (const text of ['half state:', 'half :', 'half :sta', 'half -tag:']) {
      expect(meant(text)).toBe('half');
    }
    for (const text of ['half', 'half foo:', 'state:ended', '12:30'])
      expect(meant(text)).toBe(text);
  });

  it('puts it where the caret is', () => {
    const [first] = offers('a state:n b', 9, facets);
    expect(first).toBeDefined();
    if (first) {
      expect(taken('a state:n b', 9, first)).toEqual({ text: 'a state:needs-you b', caret: 17 });
      expect(taken('state:n', 7, first)).toEqual({ text: 'state:needs-you ', caret: 16 });
    }
  });
});
