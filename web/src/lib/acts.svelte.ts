// Acts on sessions. Each one reports what it did in a toast, where it can be undone
// for thirty seconds; later it can be undone on the activity page.

import { ask, get, type Schemas } from '../api/client';
import { errorText } from './attempt';
import { many } from './format';
import { sentence } from './text';
import { say } from './toasts.svelte';
import type { Work } from './work.svelte';

export type Operation = Schemas['Operation'];
export type Bulk = Schemas['Bulk'];
type Session = Schemas['Session'];

/** Target names sessions by their ids, or all sessions that match a filter. */
export type Target = string[] | { filter: Schemas['BulkFilter'] };

const maxIds = 1000; // in one request
const maxDirect = 20; // sessions that are changed without a job

/** edits counts the changes made here: lists read themselves again when it grows. */
export const edits = $state({ count: 0 });

export interface How {
  dryRun?: boolean;
  /** work shows the progress, if there are many sessions. */
  work?: Work<Bulk>;
}

/** bulk applies an operation to sessions and returns the results, one for each request. */
export async function bulk(target: Target, operation: Operation, how: How = {}): Promise<Bulk[]> {
  const { dryRun = false, work } = how;
  const long = !Array.isArray(target) || target.length > maxDirect;
  const one = (part: object): Promise<Bulk> => {
    const body = { ...part, operation, dryRun };
    return work && long
      ? work.run('POST', '/api/v1/sessions/bulk', { body })
      : ask('POST', '/api/v1/sessions/bulk', { body });
  };
  if (!Array.isArray(target)) return [await one(target)];
  const out: Bulk[] = [];
  for (let from = 0; from < target.length; from += maxIds) {
    out.push(await one({ sessionIds: target.slice(from, from + maxIds) }));
  }
  return out;
}

/** failedOf lists the sessions that were not changed. */
export function failedOf(out: Bulk[]): Schemas['Failed'][] {
  return out.flatMap((b) => b.failed ?? []);
}

/** perform applies an operation to sessions, and shows what it did with an Undo button. did makes
 * the sentence from a number such as "3 sessions". */
export async function perform(
  target: Target,
  operation: Operation,
  did: (sessions: string) => string,
  work?: Work<Bulk>,
): Promise<Bulk[]> {
  const out = await bulk(target, operation, work ? { work } : {});
  const done = out.reduce((n, b) => n + (b.success?.length ?? 0), 0);
  const failed = failedOf(out);
  const why = failed[0] ? sentence(failed[0].error) : '';
  if (done === 0 && failed.length === 0) {
    say('Nothing to do: sub-agents move with their session.');
    return out;
  }
  if (done === 0) {
    say(failed.length === 1 ? why : `No session was changed. ${why}`);
    return out;
  }
  edits.count++;
  const skipped = failed[0]
    ? ` Skipped ${many(failed.length, 'session')}: ${failed[0].error}.`
    : '';
  const acts = out.map((b) => b.actId ?? 0).filter((id) => id > 0);
  const text = `${did(many(done, 'session'))}.${skipped}`;
  if (acts.length === 0) say(text);
  else say(text, 'Undo', () => void undoActs(acts));
  return out;
}

export interface Change {
  title?: string | null;
  tags?: string[];
  note?: string;
  starred?: boolean;
}

/** change sets the title, tags, note or star of one session. */
export async function change(id: string, to: Change, did: string): Promise<Session> {
  const made = await ask('PUT', '/api/v1/sessions/{id}', { path: { id }, body: to });
  edits.count++;
  const act = await lastOf(id);
  say(did, 'Undo', () => void undoActs([act]));
  return made;
}

/** changeEach changes several sessions; one Undo restores all of them. */
export async function changeEach(changes: [id: string, to: Change][], did: string): Promise<void> {
  const acts: number[] = [];
  try {
    for (const [id, body] of changes) {
      await ask('PUT', '/api/v1/sessions/{id}', { path: { id }, body });
      acts.push(await lastOf(id));
    }
  } finally {
    edits.count++;
    if (acts.length > 0) say(did, 'Undo', () => void undoActs(acts));
  }
}

/** lastOf returns the id of the latest act on a session. */
async function lastOf(id: string): Promise<number> {
  const page = await get('/api/v1/activity', { query: { session: id, limit: 1 } });
  return page.acts?.[0]?.id ?? 0;
}

/** undoActs undoes these acts, and no later ones. */
export async function undoActs(acts: number[]): Promise<void> {
  try {
    for (const id of acts.toReversed()) {
      await ask('POST', '/api/v1/undo', { query: { id, together: true } });
    }
    say('Undone.');
  } catch (err) {
    failure(err);
  }
  edits.count++;
}

/** undo undoes the latest act of all. */
export async function undo(): Promise<void> {
  try {
    const out = await ask('POST', '/api/v1/undo');
    say(out.changed > 0 ? 'Undone.' : 'Nothing to undo.');
  } catch (err) {
    failure(err);
  }
  edits.count++;
}

/** failure shows why an act failed. */
export function failure(err: unknown): void {
  say(errorText(err));
}
