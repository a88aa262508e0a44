import { beforeEach, expect, test } from 'vitest';
import type { Session } from '../lib/session';
import type { Agent } from '../lib/sessions.svelte';
import { itemsOf } from './items';
import { Selection } from './selection.svelte';

const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id, root: '/h' }) as Session);
const items = itemsOf(rows, new Map([['b', [{ id: 'x' } as Agent, { id: 'y' } as Agent]]]));

let selection: Selection;
const ids = (): string => [...selection.sessions.keys()].toSorted().join('');
beforeEach(() => (selection = new Selection()));

test('agents are listed below their session', () => {
  expect(items.map((i) => i.key)).toEqual(['a@/h', 'b@/h', 'b@/h/x', 'b@/h/y', 'c@/h', 'd@/h']);
});

test('a row is ticked and unticked', () => {
  selection.toggle(items, 'a@/h', false);
  selection.toggle(items, 'c@/h', false);
  expect(ids()).toBe('ac');
  selection.toggle(items, 'a@/h', false);
  expect(ids()).toBe('c');
});

test('a range is ticked from the last row on, in both directions, without agents', () => {
  selection.toggle(items, 'b@/h', false);
  selection.toggle(items, 'd@/h', true);
  expect(ids()).toBe('bcd');
  selection.toggle(items, 'a@/h', true);
  expect(ids()).toBe('abcd');
});

test('a range without a start is one row', () => {
  selection.toggle(items, 'c@/h', true);
  expect(ids()).toBe('c');
});

test('everything loaded is ticked, and the second time unticked', () => {
  selection.toggle(items, 'b@/h', false);
  selection.toggleLoaded(rows);
  expect(ids()).toBe('abcd');
  selection.toggleLoaded(rows);
  expect(ids()).toBe('');
});

test('toggling a row ends the selection of all that match', () => {
  selection.selectAll(rows);
  expect([selection.all, selection.size]).toEqual([true, 4]);
  selection.toggle(items, 'b@/h', false);
  expect([selection.all, ids()]).toEqual([false, 'acd']);
});

test('what could not be changed stays selected', () => {
  selection.selectAll(rows);
  selection.keep(new Set(['c', 'elsewhere']));
  expect([selection.all, ids()]).toEqual([false, 'c']);
});

test('clear also hides the boxes of a phone', () => {
  selection.open = true;
  selection.selectAll(rows);
  selection.clear();
  expect([selection.open, selection.all, selection.size]).toEqual([false, false, 0]);
});
