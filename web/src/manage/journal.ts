// The journal as a page shows it.

import type { Schemas } from '../api/client';

type Act = Schemas['ActRow'];

const said: Record<string, string> = {
  archive: 'Archived',
  unarchive: 'Unarchived',
  trash: 'Moved to the trash',
  restore: 'Restored from the trash',
  purge: 'Deleted permanently',
  rename: 'Renamed',
  tag: 'Changed tags',
  star: 'Starred',
  note: 'Changed the note',
  repair: 'Repaired',
  clean: 'Cleaned up',
  undo: 'Took back',
  'keep restore': 'Restored from the kept copy',
  'keep import': 'Imported a bundle',
  'project mv': 'Moved a project',
  login: 'Signed in',
  pair: 'Paired a device',
  export: 'Saved as a document',
  'token create': 'Created a token',
  'token revoke': 'Revoked a token',
  'keep retention set': 'Changed how long Claude Code keeps transcripts',
};

/** words say what an act did; a verb without words of ours is its own. */
export function words(a: Pick<Act, 'verb' | 'what'>): string {
  const did = said[a.verb] ?? a.verb;
  return a.what ? `${did}: ${a.what}` : did;
}

/** by says who did it, and from where. */
export function by(actor: Act['actor']): string {
  if (actor.from === 'api') return actor.user ? `over HTTP from ${actor.user}` : 'over HTTP';
  return `by ${actor.user ?? 'somebody'}${actor.from ? ` (${actor.from})` : ''}`;
}

export interface ActDay {
  day: string;
  acts: Act[];
}

/** byDay groups acts that come in order; dayOf returns the day of a time. */
export function byDay(acts: readonly Act[], dayOf: (time: string) => string): ActDay[] {
  const days: ActDay[] = [];
  for (const a of acts) {
    const day = dayOf(a.timestamp);
    const last = days.at(-1);
    if (last?.day === day) last.acts.push(a);
    else days.push({ day, acts: [a] });
  }
  return days;
}
