import { expect, test } from 'vitest';
import { facets, type Facet, type FacetName } from '../lib/filter';
import { isTicked, labelOf, toggled, valuesOf } from './facets';

const facet = (name: FacetName): Facet => facets.find((f) => f.name === name) as Facet;
const source = facet('source');
const query = (text: string): URLSearchParams => new URLSearchParams(text);
const value = (v: string, count = 1) => ({ value: v, count });

test('states are in order of urgency, and a value that no session has is left out', () => {
  const found = { state: [value('ended'), value('odd'), value('needs you'), value('idle', 0)] };
  expect(valuesOf(facet('state'), found).map((v) => v.value)).toEqual([
    'needs you',
    'ended',
    'odd',
  ]);
  expect(valuesOf(facet('archived'), { archived: [value('no'), value('yes')] })).toHaveLength(1);
  expect(valuesOf(facet('tag'), undefined)).toEqual([]);
});

test('a value has a short name', () => {
  expect(labelOf(facet('project'), { ...value('p1'), label: '/home/ada/parser' })).toBe('parser');
  expect(labelOf(facet('model'), value('claude-opus-5-5-20260101'))).toBe('opus-5-5');
  expect(labelOf(facet('tag'), value(''))).toBe('none');
});

test('a list shows the sessions of the user, a search all, unless the address says otherwise', () => {
  const on = (text: string, all: boolean): string[] =>
    ['user', 'agent', 'helper'].filter((v) => isTicked(query(text), source, v, all));
  expect(on('', false)).toEqual(['user']);
  expect(on('', true)).toEqual(['user', 'agent', 'helper']);
  expect(on('source=agent', true)).toEqual(['agent']);
  expect(on('source=all', false)).toEqual(['user', 'agent', 'helper']);
});

test.each([
  ['', 'agent', false, 'user,agent'],
  ['source=user,agent', 'agent', false, undefined],
  ['source=all', 'user', false, 'agent,helper'],
  ['source=agent', 'agent', false, undefined],
  ['', 'agent', true, 'user,helper'],
  ['source=user,helper', 'agent', true, undefined],
  ['source=user,helper', 'helper', true, 'user'],
])('source: %s, then %s (all: %s)', (text, v, all, want) => {
  expect(toggled(query(text), source, v, all)).toBe(want);
});

test('starred and archived are on or off', () => {
  expect(isTicked(query('archived=only'), facet('archived'), 'yes', false)).toBe(true);
  expect(isTicked(query(''), facet('starred'), 'yes', false)).toBe(false);
});
