// The journal as a page shows it.

import type { Schemas } from '../api/client';

type Act = Schemas['ActRow'];

/** undone are the numbers of acts that a later one took back, and was not taken back itself. */
export function undone(acts: readonly Act[]): Set<number> {
  const gone = new Set<number>();
  // The last change is first, so an undo is met before what it undoes.
  for (const a of acts) {
    if (a.undoes !== undefined && a.undoes !== 0 && a.state === 'done' && !gone.has(a.id)) {
      gone.add(a.undoes);
    }
  }
  return gone;
}

export interface ActDay {
  day: string;
  acts: Act[];
}

/** byDay groups acts that come in order; dayOf tells the day of a time. */
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
