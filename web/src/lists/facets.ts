// The values of a facet: their order, their names, and what ticking one does to the
// address. Nothing ticked means all.

import type { Schemas } from '../api/client';
import { serverName, ticked, values, type Facet } from '../lib/filter';
import { baseName, modelName, words, type Word } from '../lib/session';

type Value = Schemas['IndexFacetValue'];

const sources = ['user', 'agent', 'helper'];

/** rankOf is the place of a state; unknown ones come last. */
function rankOf(state: string): number {
  const at = words.indexOf(state as Word);
  return at < 0 ? words.length : at;
}

/** valuesOf are the values of a facet that some session has, in the order they are shown. */
export function valuesOf(f: Facet, facets: Schemas['FacetPage']['facets'] | undefined): Value[] {
  const found = (facets?.[serverName(f)] ?? []).filter((v) => v.count > 0);
  if (f.name === 'archived') return found.filter((v) => v.value !== 'no');
  if (f.name === 'state') return found.toSorted((a, b) => rankOf(a.value) - rankOf(b.value));
  if (f.name === 'source')
    return found.toSorted((a, b) => sources.indexOf(a.value) - sources.indexOf(b.value));
  return found;
}

export function labelOf(f: Facet, v: Value): string {
  if (f.name === 'project') return baseName(v.label ?? v.value);
  if (f.name === 'model') return modelName(v.value);
  if (f.name === 'archived') return 'include archived';
  if (f.name === 'starred') return 'starred';
  return v.value === '' ? 'none' : v.value;
}

/** tickedSources are the sources that are ticked. Without any in the address those are the user's
 * own, or all where the list shows all. */
function tickedSources(query: URLSearchParams, all: boolean): string[] {
  const now = values(query, 'source');
  if (now.includes('all')) return sources;
  return now.length > 0 ? now : all ? sources : ['user'];
}

export function isTicked(query: URLSearchParams, f: Facet, value: string, all: boolean): boolean {
  if (f.name === 'source') return tickedSources(query, all).includes(value);
  const now = values(query, f.name);
  if (f.name === 'archived' || f.name === 'starred') return now.length > 0;
  return now.includes(value);
}

/** toggled is the parameter of a facet after a value was ticked or unticked. */
export function toggled(
  query: URLSearchParams,
  f: Facet,
  value: string,
  all: boolean,
): string | undefined {
  if (f.name !== 'source') return ticked(query, f, value);
  const now = tickedSources(query, all);
  const next = now.includes(value) ? now.filter((v) => v !== value) : [...now, value];
  const usual = all ? sources : ['user'];
  const same = next.length === usual.length && next.every((v) => usual.includes(v));
  return same || next.length === 0 ? undefined : next.join(',');
}
