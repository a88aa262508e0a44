// Sessions that only our copy has: what is known of one, and how its files come back.

import { ask, get, type Schemas } from '../api/client';
import { edits, undoActs } from '../lib/acts.svelte';
import { attempt } from '../lib/attempt';
import { many } from '../lib/format';
import { say } from '../lib/toasts.svelte';

export interface Gone {
  noticedAt: string | undefined; // unknown if the list of deleted sessions does not have it
  dir: string; // of the copies
}

const pageSize = 500;

/** findGone finds out since when a session is gone and where its copy is. */
export async function findGone(id: string, signal: AbortSignal): Promise<Gone> {
  const { dir } = await get('/api/v1/keep', { signal });
  let cursor: string | undefined;
  do {
    const query = { limit: pageSize, cursor };
    const page = await get('/api/v1/keep/gone', { query, signal });
    const one = page.sessions?.find((s) => s.id === id);
    if (one) return { noticedAt: one.noticedAt, dir };
    cursor = page.next;
  } while (cursor !== undefined);
  return { noticedAt: undefined, dir };
}

export type Plan = Schemas['Restored'];

/** plan says what putting a session back would write. */
export function plan(id: string): Promise<Plan | undefined> {
  const options = { path: { id }, query: { dryRun: true } };
  return attempt(() => ask('POST', '/api/v1/keep/{id}/restore', options));
}

/** whole reports whether a plan restores every file as it was. */
export function whole(p: Plan): boolean {
  return (p.files ?? []).every((f) => f.state === 'gone' || f.state === 'there');
}

/** putBack restores a session; changed is called then, and after an Undo. */
export async function putBack(id: string, changed: () => void): Promise<void> {
  const made = await attempt(() => ask('POST', '/api/v1/keep/{id}/restore', { path: { id } }));
  if (!made) return;
  edits.count++;
  const text = `Put back ${many(made.restoredCount, 'file')}.`;
  const acts = made.actId ? [made.actId] : [];
  if (acts.length === 0) say(text);
  else say(text, 'Undo', () => void undoActs(acts).then(changed));
  changed();
}
