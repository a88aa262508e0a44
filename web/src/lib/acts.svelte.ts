// What can be done to sessions: each deed says what it did and can be taken back
// for thirty seconds here, and later from the list of activity.

import { ask, get, type Schemas } from '../api/client';
import { told } from './deed';
import { many } from './format';
import { say } from './toasts.svelte';
import { sentence } from './text';

export type Operation = Schemas['OperationStruct'];
export type Bulk = Schemas['Bulk'];
type Session = Schemas['Session'];

const most = 1000; // ids in one request

/** deeds counts the deeds of this page: lists read themselves anew when it grows. */
export const deeds = $state({ count: 0 });

/** bulk does something to many sessions, and tells what became of each. */
export async function bulk(ids: string[], operation: Operation, dryRun = false): Promise<Bulk> {
  const all: Bulk = { success: [], failed: [], dryRun };
  for (let from = 0; from < ids.length; from += most) {
    const body = { sessionIds: ids.slice(from, from + most), operation, dryRun };
    const part = (await ask('POST', '/sessions/bulk', { body })) as Bulk;
    all.success = [...(all.success ?? []), ...(part.success ?? [])];
    all.failed = [...(all.failed ?? []), ...(part.failed ?? [])];
  }
  return all;
}

/** perform does something to sessions and says so, with a way to take it back. */
export async function perform(ids: string[], operation: Operation, did: string): Promise<Bulk> {
  const before = await newest();
  const out = await bulk(ids, operation);
  const done = out.success?.length ?? 0;
  const failed = out.failed ?? [];
  const why = failed[0] ? sentence(failed[0].error) : '';
  if (done === 0) {
    say(failed.length === 1 ? why : `None of ${many(failed.length, 'session')}: ${why}`);
    return out;
  }
  deeds.count++;
  const skipped = failed.length > 0 ? ` ${many(failed.length, 'session')} skipped: ${why}` : '';
  say(
    `${did} ${many(done, 'session')}.${skipped}`,
    'Undo',
    undoSince(before, await newest(), ids.length <= most),
  );
  return out;
}

/** change sets title, tags, note or star of one session. */
export async function change(id: string, to: Change, did: string): Promise<Session> {
  const before = await newest();
  const made = (await ask('PUT', '/sessions/{id}', { path: { id }, body: to })) as Session;
  deeds.count++;
  say(did, 'Undo', undoSince(before, await newest(), true));
  return made;
}

export interface Change {
  title?: string | null;
  tags?: string[];
  note?: string;
  starred?: boolean;
}

/** changeEach sets something of each session, and can be taken back as a whole. */
export async function changeEach(changes: [id: string, to: Change][], did: string): Promise<void> {
  const before = await newest();
  try {
    for (const [id, body] of changes) await ask('PUT', '/sessions/{id}', { path: { id }, body });
  } finally {
    deeds.count++;
    const last = await newest();
    if (last > before) say(did, 'Undo', undoSince(before, last, changes.length === 1));
  }
}

/** newest is the number of the last change. */
async function newest(): Promise<number> {
  const page = await get('/api/v1/activity', { query: { limit: 1 } });
  return page.acts?.[0]?.id ?? 0;
}

/** undoSince takes back what was done between two changes, the last one first,
 * whatever was done since. */
function undoSince(before: number, last: number, atOnce: boolean): () => void {
  return () => void takeBack(before, last, atOnce);
}

async function takeBack(before: number, last: number, atOnce: boolean): Promise<void> {
  try {
    if (atOnce && (await newest()) === last) {
      await ask('POST', '/undo'); // all that the last request did
    } else {
      for (let id = last; id > before; id--) await ask('POST', '/undo', { query: { id } });
    }
    say('Taken back.');
  } catch (err) {
    failure(err);
  }
  deeds.count++;
}

/** undo takes back the last change of all. */
export async function undo(): Promise<void> {
  try {
    const out = (await ask('POST', '/undo')) as Schemas['Outcome'];
    say(out.changed > 0 ? 'Taken back.' : 'There is nothing to take back.');
  } catch (err) {
    failure(err);
  }
  deeds.count++;
}

/** failure says what went wrong with a deed. */
export function failure(err: unknown): void {
  say(told(err));
}
