// The state of a run with the shape of a session's.

import type { Word } from '../lib/session';

/** wordOf is the state of a session that looks like that of a run. */
export function wordOf(state: string): Word {
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

/** lives tells whether a run can still be talked to. */
export function lives(state: string): boolean {
  return state !== 'ended' && state !== 'unclean';
}
