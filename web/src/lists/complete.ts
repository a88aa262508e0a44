// Completes the keys of the search language, and the values that sessions have for
// them. Nothing is offered for plain words.

import type { Schemas } from '../api/client';
import keys from '../lib/searchkeys.json';

export type Facets = Schemas['FacetPage']['facets'];

export interface Offer {
  /** text is what an accepted offer inserts. */
  text: string;
  about: string;
}

interface Key {
  key: string;
  text: string;
  example: string;
  values?: string[];
}

const table: readonly Key[] = keys;
const maxOffers = 12;

// The facet of a key, if it has another name.
const facetOf: Record<string, string> = { branch: 'gitBranch' };

/** wordAt is the word before the caret, and where it starts. */
export function wordAt(text: string, caret: number): { from: number; word: string } {
  const before = text.slice(0, caret);
  const from = before.search(/\S*$/);
  return { from, word: before.slice(from) };
}

/** keyAt is the key that a word starts with, such as state in "-state:wor". */
function keyAt(word: string): Key | undefined {
  const name = /^-?(\w+):/.exec(word)?.[1]?.toLowerCase();
  return table.find((k) => k.key === name);
}

/** canComplete reports whether there may be offers, before the values are known. */
export function canComplete(text: string, caret: number): boolean {
  const { word } = wordAt(text, caret);
  return word.startsWith(':') || keyAt(word) !== undefined;
}

/** offers completes the word at the caret; a complete word has no offers. */
export function offers(text: string, caret: number, facets: Facets): Offer[] {
  const { word } = wordAt(text, caret);
  if (word.startsWith(':')) {
    const want = word.slice(1).toLowerCase();
    return table
      .filter((k) => k.key.startsWith(want))
      .map((k) => ({ text: `${k.key}:`, about: `${k.text}: ${k.example}` }));
  }
  const key = keyAt(word);
  if (!key) return [];
  const head = word.slice(0, word.lastIndexOf(',') + 1) || word.slice(0, word.indexOf(':') + 1);
  const want = word.slice(head.length).replace(/^"/, '').toLowerCase();
  const fits = (v: string): boolean => (key.values ? v.startsWith(want) : v.includes(want));
  const found = valuesOf(key, facets).filter(
    (v) => fits(v.value.toLowerCase()) && v.value.toLowerCase() !== want,
  );
  return found
    .slice(0, maxOffers)
    .map((v) => ({ text: `${head}${quoted(v.value)} `, about: v.about }));
}

/** finished removes a key at the end of a text that has no value yet. */
export function finished(text: string): string {
  const { from, word } = wordAt(text, text.length);
  const open = /^:\w*$/.test(word) || (keyAt(word) !== undefined && /[:,]$/.test(word));
  return (open ? text.slice(0, from) : text).trim();
}

/** hint describes the value of the key at the caret. */
export function hint(text: string, caret: number): string {
  const key = keyAt(wordAt(text, caret).word);
  return key ? `${key.text}: ${key.example}` : '';
}

/** accepted replaces the word at the caret with an offer. */
export function accepted(
  text: string,
  caret: number,
  offer: Offer,
): { text: string; caret: number } {
  const { from } = wordAt(text, caret);
  const rest = text.slice(caret);
  const insert =
    offer.text.endsWith(' ') && rest.startsWith(' ') ? offer.text.trimEnd() : offer.text;
  return { text: text.slice(0, from) + insert + rest, caret: from + insert.length };
}

function valuesOf(key: Key, facets: Facets): { value: string; about: string }[] {
  const counted = (facets[facetOf[key.key] ?? key.key] ?? []).filter((v) => v.value !== '');
  const count = (value: string): string =>
    counted.find((v) => v.value.replaceAll(' ', '-') === value)?.count.toLocaleString('en-US') ??
    '';
  if (key.values) return key.values.map((value) => ({ value, about: count(value) }));
  return counted.map((v) => ({
    value: v.value,
    about: [v.label, v.count.toLocaleString('en-US')].filter((t) => t).join(' · '),
  }));
}

const quoted = (value: string): string =>
  /[\s,"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value;
