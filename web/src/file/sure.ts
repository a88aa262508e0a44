// How certain the content of a version is, in words.

import { date } from '../lib/format';
import type { Version } from './file.svelte';

export function sureText(v: Pick<Version, 'sure' | 'source' | 'outside' | 'absent'>): string {
  if (v.absent) return 'There was no such file.';
  const known = {
    exact: v.source === 'copy' ? "Exact, from Claude Code's file history." : 'Exact.',
    replayed: 'Replayed from the edits of the transcript.',
    unknown: 'Not certain: a later change cannot be replayed.',
  }[v.sure];
  if (!v.outside) return known;
  const { from, until } = v.outside;
  return from
    ? `${known} Changed outside between ${date(from)} and ${date(until)}.`
    : `${known} First seen ${date(until)}.`;
}
