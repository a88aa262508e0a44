import { expect, test } from 'vitest';
import { progress } from './coverage.svelte';
import { advanced, decode, whole } from './covered';

const of = (coverage: object): string => progress(decode({ coverage }) ?? whole);

test('a reply without a coverage changes nothing', () => {
  expect(decode({})).toBeUndefined();
  expect(decode(null)).toBeUndefined();
});

test('what is missing is said in words', () => {
  expect(of({ complete: true })).toBe('');
  expect(of({ complete: false, reading: { files: 412, total: 6683 } })).toBe(
    'Reading 412 of 6,683 files',
  );
  expect(of({ complete: false, reading: { files: 0, total: 0 } })).toBe('Reading');
  expect(of({ complete: false, behind: { reason: 'another process writes the index' } })).toBe(
    'Another process writes the index',
  );
  const closed = { path: '/a/projects/-x', reason: 'permission denied' };
  expect(of({ complete: false, unreadable: [closed], unreadableCount: 3 })).toBe(
    'Cannot read /a/projects/-x: permission denied, and 2 more',
  );
});

test('a search that stopped at its budget leaves the rest of the page complete', () => {
  expect(decode({ coverage: { complete: false, searchStopped: true } })?.complete).toBe(true);
});

test('progress does not go back when a reply was slow', () => {
  const at = (files: number, total: number) => ({
    ...whole,
    complete: false,
    reading: { files, total },
  });
  expect(advanced(at(3262, 6969), at(3098, 6969)).reading?.files).toBe(3262);
  expect(advanced(at(3262, 6969), at(3468, 6969)).reading?.files).toBe(3468);
  expect(advanced(at(3262, 6969), at(1, 12)).reading?.files).toBe(1);
  expect(advanced(at(3262, 6969), whole)).toEqual(whole);
});
