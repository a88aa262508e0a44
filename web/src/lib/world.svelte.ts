// What all pages share: whether the server is reached, what it last told, and
// the time that "3 minutes ago" is reckoned from.

import { Problem } from '../api/client';
import type { Event } from '../api/events';
import { listen } from './leader';
import { go, here } from './router.svelte';

export const world = $state({
  link: 'connecting' as 'connecting' | 'live' | 'waiting' | 'refused',
  retryIn: 0,
  since: Date.now(), // of the present link
  now: Date.now(),
});

/** away tells that the server does not answer: what would change something is of no use. */
export function away(): boolean {
  return world.link === 'waiting';
}

export const awayText = 'The server does not answer.';

type Listener = (e: Event) => void;
const listeners = new Set<Listener>();

/** onEvent tells of every event while an effect lives: $effect(() => onEvent(…)). */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** connect keeps the link until the returned function is called. */
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

/** refused shows how to get in, and comes back here afterwards. */
export function refused(p: Problem): void {
  world.link = 'refused';
  if (p.status !== 401 || here().path === '/login') return;
  sessionStorage.setItem('sesskeep.after', here().path + location.search);
  go('/login');
}
