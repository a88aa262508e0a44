// What all pages share: the connection to the server, its events, and the current
// time for "3 minutes ago".

import { Problem } from '../api/client';
import type { Event } from '../api/events';
import { listen } from './leader';
import { go, here } from './router.svelte';

export const world = $state({
  link: 'connecting' as 'connecting' | 'live' | 'waiting' | 'refused',
  retryIn: 0, // ms
  since: Date.now(), // when link last changed
  now: Date.now(),
});

/** away reports whether the server cannot be reached, so that changes are impossible. */
export function away(): boolean {
  return world.link === 'waiting';
}

export const awayText = 'The server is not responding.';

type Listener = (e: Event) => void;
const listeners = new Set<Listener>();

/** onEvent calls listener for every event until the returned function is called:
 * $effect(() => onEvent(…)). */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** connect keeps the connection open until the returned function is called. */
export function connect(): () => void {
  const end = new AbortController();
  const clock = setInterval(() => (world.now = Date.now()), 1000);
  void listen(
    {
      event: (e) => listeners.forEach((l) => l(e)),
      status: (link, retryIn) => {
        if (world.link !== link) world.since = Date.now();
        world.link = link;
        world.retryIn = retryIn;
      },
      failed: refused,
    },
    end.signal,
  );
  return () => {
    clearInterval(clock);
    end.abort();
  };
}

/** refused opens the login page, which returns here afterwards. */
export function refused(p: Problem): void {
  world.link = 'refused';
  if (p.status !== 401 || here().path === '/login') return;
  sessionStorage.setItem('sesskeep.after', here().path + location.search);
  go('/login');
}
