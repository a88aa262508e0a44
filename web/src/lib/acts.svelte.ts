// What can be done to sessions: each deed says what it did and can be taken back
// for thirty seconds here, and later from the list of activity.

import { ask, get, type Schemas } from '../api/client';
import { errorText } from './attempt';
import { many } from './format';
import { sentence } from './text';
import { say } from './toasts.svelte';
import type { Work } from './work.svelte';

export type Operation = Schemas['Operation'];
export type Bulk = Schemas['Bulk'];
type Session = Schemas['Session'];

/** Target are sessions by their ids, or all that a list has. */
export type Target = string[] | { filter: Schemas['BulkFilter'] };

const most = 1000; // ids in one request
const few = 20; // done while one waits

/** edits counts the changes made here: lists read themselves again when it grows. */
export const edits = $state({ count: 0 });

export interface How {
  dryRun?: boolean;
  /** work shows how far it is, where there is much to do. */
  work?: Work<Bulk>;
}

/** bulk does something to many sessions, and tells what became of each. */
export async function bulk(target: Target, operation: Operation, how: How = {}): Promise<Bulk[]> {
  const { dryRun = false, work } = how;
  const long = !Array.isArray(target) || target.length > few;
  const one = (part: object): Promise<Bulk> => {
    const body = { ...part, operation, dryRun };
    return work && long
      ? work.run('POST', '/api/v1/sessions/bulk', { body })
      : ask('POST', '/api/v1/sessions/bulk', { body });
  };
  if (!Array.isArray(target)) return [await one(target)];
  const out: Bulk[] = [];
  for (let from = 0; from < target.length; from += most) {
    out.push(await one({ sessionIds: target.slice(from, from + most) }));
  }
  return out;
}

/** failedOf are the sessions that nothing was done to. */
export function failedOf(out: Bulk[]): Schemas['Failed'][] {
  return out.flatMap((b) => b.failed ?? []);
}

/** perform does something to sessions and says so, with a way to take it back. */
export async function perform(
  target: Target,
  operation: Operation,
  did: string,
  work?: Work<Bulk>,
): Promise<Bulk[]> {
  const out = await bulk(target, operation, work ? { work } : {});
  const done = out.reduce((n, b) => n + (b.success?.length ?? 0), 0);
  const failed = failedOf(out);
  const why = failed[0] ? sentence(failed[0].error) : '';
  if (done === 0 && failed.length === 0) {
    say('Nothing was done: an agent goes with its session.');
    return out;
  }
  if (done === 0) {
    say(failed.length === 1 ? why : `None of ${many(failed.length, 'session')}. ${why}`);
    return out;
  }
  edits.count++;
  const skipped = failed.length > 0 ? ` ${many(failed.length, 'session')} skipped. ${why}` : '';
  const acts = out.map((b) => b.actId ?? 0).filter((id) => id > 0);
  const text = `${did} ${many(done, 'session')}.${skipped}`;
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

/** change sets title, tags, note or star of one session. */
export async function change(id: string, to: Change, did: string): Promise<Session> {
  const made = await ask('PUT', '/api/v1/sessions/{id}', { path: { id }, body: to });
  edits.count++;
  const act = await lastOf(id);
  say(did, 'Undo', () => void undoActs([act]));
  return made;
}

/** changeEach sets something of each session, and can be taken back as a whole. */
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

/** lastOf is the number of the last change of a session. */
async function lastOf(id: string): Promise<number> {
  const page = await get('/api/v1/activity', { query: { session: id, limit: 1 } });
  return page.acts?.[0]?.id ?? 0;
}

/** undoActs takes back exactly these requests, whatever was done since. */
export async function undoActs(acts: number[]): Promise<void> {
  try {
    for (const id of acts.toReversed()) {
      await ask('POST', '/api/v1/undo', { query: { id, together: true } });
    }
    say('Taken back.');
  } catch (err) {
    failure(err);
  }
  edits.count++;
}

/** undo takes back the last change of all. */
export async function undo(): Promise<void> {
  try {
    const out = await ask('POST', '/api/v1/undo');
    say(out.changed > 0 ? 'Taken back.' : 'There is nothing to take back.');
  } catch (err) {
    failure(err);
  }
  edits.count++;
}

/** failure says what went wrong with a deed. */
export function failure(err: unknown): void {
  say(errorText(err));
}
