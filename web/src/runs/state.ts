// The state of a run with the shape of a session's.

import { lasting } from '../lib/format';
import type { Word } from '../lib/session';

/** wordOf is the state of a session that looks like that of a run. */
export function wordOf(state: string): Exclude<Word, 'copy only'> {
  if (state === 'queued') return 'idle';
  if (state === 'starting') return 'working';
  if (
    state === 'needs you' ||
    state === 'working' ||
    state === 'your turn' ||
    state === 'unclean'
  ) {
    return state;
  }
  return 'ended';
}

/** lives reports whether a run still accepts messages. */
export function lives(state: string): boolean {
  return state !== 'ended' && state !== 'unclean';
}

/** waited is how long something takes, in whole seconds. */
export function waited(ms: number): string {
  return ms < 60_000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : lasting(ms);
}
