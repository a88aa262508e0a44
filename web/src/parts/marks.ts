// The hits of a search inside a text.

export type Span = [start: number, length: number];

export interface Piece {
  text: string;
  hit: boolean;
}

/** pieces splits a text at its marks. Overlapping marks are joined, and marks outside the text are
 * dropped. */
export function pieces(text: string, marks: readonly Span[]): Piece[] {
  const out: Piece[] = [];
  let at = 0;
  for (const [start, length] of marks.toSorted((a, b) => a[0] - b[0])) {
    const from = Math.max(at, start);
    const to = Math.min(text.length, start + length);
    if (to <= from) continue;
    if (from > at) out.push({ text: text.slice(at, from), hit: false });
    out.push({ text: text.slice(from, to), hit: true });
    at = to;
  }
  if (at < text.length) out.push({ text: text.slice(at), hit: false });
  return out;
}

/** runes converts marks that count characters into marks that count UTF-16 code units. */
export function runes(text: string, marks: readonly Span[]): Span[] {
  if (!/[\ud800-\udfff]/.test(text)) return [...marks];
  const at: number[] = [];
  let i = 0;
  for (const c of text) {
    at.push(i);
    i += c.length;
  }
  at.push(i);
  const offset = (n: number): number => at[Math.min(n, at.length - 1)] ?? i;
  return marks.map(([start, length]) => [offset(start), offset(start + length) - offset(start)]);
}

/** wordsOf lists the plain words of a query, which can be marked without the server. */
export function wordsOf(query: string): string[] {
  const out: string[] = [];
  for (const [, phrase, not, word] of query.matchAll(/"([^"]+)"|(-)?(\S+)/g)) {
    if (phrase !== undefined) out.push(phrase);
    else if (!not && word && !/^(OR|\/.*\/)$/.test(word) && !/^\w+:\S/.test(word)) out.push(word);
  }
  return out.filter((w) => w.trim() !== '');
}

/** finder returns a function that finds the words of a query in a text, ignoring case. */
export function finder(query: string): (text: string) => Span[] {
  const words = wordsOf(query).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return () => [];
  const any = new RegExp(words.join('|'), 'giu');
  return (text) => [...text.matchAll(any)].map((m) => [m.index, m[0].length]);
}
