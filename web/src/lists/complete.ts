// What can be typed behind a colon in a search: keys, and the values that they have
// here. It is offered only to who types one, so that words are never in the way.

import type { Schemas } from '../api/client';
import keys from '../lib/searchkeys.json';

export type Facets = Schemas['FacetPage']['facets'];

export interface Offer {
  /** put is what stands in the text when it is taken. */
  put: string;
  about: string;
}

interface Key {
  key: string;
  text: string;
  example: string;
  values?: string[];
}

const table: readonly Key[] = keys;
const most = 12; // that are offered at once

// The facets that have the values of a key.
const facetOf: Record<string, string> = { branch: 'gitBranch' };

/** wordAt is the word that is being typed: from where, and what of it. */
export function wordAt(text: string, caret: number): { from: number; word: string } {
  const before = text.slice(0, caret);
  const from = before.search(/\S*$/);
  return { from, word: before.slice(from) };
}

/** keyAt is the key that a word begins with, such as state of "-state:wor". */
function keyAt(word: string): Key | undefined {
  const name = /^-?(\w+):/.exec(word)?.[1]?.toLowerCase();
  return table.find((k) => k.key === name);
}

/** asksFor tells whether something may be offered, before the values are known. */
export function asksFor(text: string, caret: number): boolean {
  const { word } = wordAt(text, caret);
  return word.startsWith(':') || keyAt(word) !== undefined;
}

/** offers is what fits the word at the caret; nothing where it is complete. */
export function offers(text: string, caret: number, facets: Facets): Offer[] {
  const { word } = wordAt(text, caret);
  if (word.startsWith(':')) {
    const want = word.slice(1).toLowerCase();
    return table
      .filter((k) => k.key.startsWith(want))
      .map((k) => ({ put: `${k.key}:`, about: `${k.text}: ${k.example}` }));
  }
  const key = keyAt(word);
  if (!key) return [];
  const head = word.slice(0, word.lastIndexOf(',') + 1) || word.slice(0, word.indexOf(':') + 1);
  const want = word.slice(head.length).replace(/^"/, '').toLowerCase();
  const fits = (v: string): boolean => (key.values ? v.startsWith(want) : v.includes(want));
  const found = valuesOf(key, facets).filter(
    (v) => fits(v.value.toLowerCase()) && v.value.toLowerCase() !== want,
  );
  return found.slice(0, most).map((v) => ({ put: `${head}${quoted(v.value)} `, about: v.about }));
}

/** meant is a text without a key at its end that has no value yet: it is still being typed. */
export function meant(text: string): string {
  const { from, word } = wordAt(text, text.length);
  const open = /^:\w*$/.test(word) || (keyAt(word) !== undefined && /[:,]$/.test(word));
  return (open ? text.slice(0, from) : text).trim();
}

/** hint is what a key takes that has no values to offer. */
export function hint(text: string, caret: number): string {
  const key = keyAt(wordAt(text, caret).word);
  return key ? `${key.text}: ${key.example}` : '';
}

/** taken is the text with an offer in the place of the word at the caret, and the caret behind it. */
export function taken(text: string, caret: number, offer: Offer): { text: string; caret: number } {
  const { from } = wordAt(text, caret);
  const rest = text.slice(caret);
  const put = offer.put.endsWith(' ') && rest.startsWith(' ') ? offer.put.trimEnd() : offer.put;
  return { text: text.slice(0, from) + put + rest, caret: from + put.length };
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
