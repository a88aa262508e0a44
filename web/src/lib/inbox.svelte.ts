// What running sessions ask, for all pages: told by events, and read once at the
// start for whoever came later.

import { get, Problem, type Schemas } from '../api/client';
import { onEvent } from './world.svelte';

export type Item = Schemas['InboxItem'];

let waiting = $state.raw<readonly Item[]>([]);
let here = $state(true);
let told = 0; // how often events told of it

/** asked are the prompts that wait, the oldest first. */
export function asked(): readonly Item[] {
  return waiting;
}

/** runsHere tells whether this server starts sessions at all. */
export function runsHere(): boolean {
  return here;
}

/** readInbox asks the server what waits. */
export async function readInbox(): Promise<void> {
  const before = told;
  try {
    const { prompts } = await get('/api/v1/inbox');
    here = true;
    if (told === before) waiting = prompts ?? []; // else it is older than what was told
  } catch (err) {
    if (err instanceof Problem && err.status === 404) here = false;
  }
}

/** watchInbox keeps it true while an effect lives. */
export function watchInbox(): () => void {
  void readInbox();
  return onEvent((e) => {
    if (e.type === 'inbox') {
      told++;
      waiting = (e.data['prompts'] as Item[] | null | undefined) ?? [];
    }
    if (e.type === 'reset') void readInbox();
  });
}
