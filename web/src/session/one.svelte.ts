// The session that a page is about.

import { get } from '../api/client';
import type { Session } from '../lib/session';
import { Load } from '../lib/load.svelte';

/** load reads a session for the head of a page. */
export function load(id: () => string): Load<Session> {
  const one = new Load<Session>();
  $effect(() => {
    const path = { id: id() };
    void one.run((signal) => get('/api/v1/sessions/{id}', { path, signal }));
    return () => one.stop();
  });
  return one;
}
