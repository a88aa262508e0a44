// The prompts of running sessions, for all pages: kept current by events, and read
// once at the start because earlier events are not repeated.

import { get, Problem, type Schemas } from '../api/client';
import { onEvent } from './world.svelte';

export type Item = Schemas['InboxItem'];

let waiting = $state.raw<readonly Item[]>([]);
let here = $state(true);
let updates = 0; // events received

/** prompts are the prompts that wait for an answer, oldest first. */
export function prompts(): readonly Item[] {
  return waiting;
}

/** runsHere reports whether this server can start sessions. */
export function runsHere(): boolean {
  return here;
}

/** readInbox reads the prompts from the server. */
export async function readInbox(): Promise<void> {
  const before = updates;
  try {
    const page = await get('/api/v1/inbox');
    here = true;
    if (updates === before) waiting = page.prompts ?? []; // otherwise an event was newer
  } catch (err) {
    if (err instanceof Problem && err.status === 404) here = false;
  }
}

/** watchInbox keeps the prompts current until the returned function is called. */
export function watchInbox(): () => void {
  void readInbox();
  return onEvent((e) => {
    if (e.type === 'inbox') {
      updates++;
      waiting = e.data.prompts ?? [];
    }
    if (e.type === 'reset') void readInbox();
  });
}
