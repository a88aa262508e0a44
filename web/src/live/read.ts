// What stands on the wall: the sessions whose clients run, and those that this
// server runs itself, whatever is known of their clients.

import { get, type Schemas } from '../api/client';
import { runsHere } from '../lib/inbox.svelte';
import type { Session } from '../lib/session';
import { wordOf } from '../runs/state';
import { alive, order } from './wall';

const maxPageSize = 500; // sessions in one request

export type Run = NonNullable<Schemas['RunPage']['runs']>[number];

/** Shown is a session, and the run that has it if it is one of ours. */
export interface Shown {
  session: Session;
  run: Run | undefined;
}

/** readWall reads the sessions that are watched, or all that run: those that need the user first. */
export async function readWall(watched: readonly string[], signal: AbortSignal): Promise<Shown[]> {
  const one = (id: string): Promise<Session> =>
    get('/api/v1/sessions/{id}', { path: { id }, signal });
  const [runs, found] = await Promise.all([
    living(signal),
    watched.length > 0 ? Promise.all(watched.map(one)) : running(signal),
  ]);
  const held = new Map(runs.map((r) => [r.sessionId, r]));
  if (watched.length === 0) {
    // A run whose session has no file yet has nothing to show.
    const others = [...held.keys()].filter((id) => !found.some((s) => s.id === id));
    const more = await Promise.allSettled(others.map(one));
    found.push(...more.flatMap((m) => (m.status === 'fulfilled' ? [m.value] : [])));
  }
  const shown = found.map((s) => stated(s, held.get(s.id)));
  return (watched.length > 0 ? shown : order(shown)).map((session) => ({
    session,
    run: held.get(session.id),
  }));
}

/** stated is a session in the state of its run, which knows it best. */
function stated(s: Session, run: Run | undefined): Session {
  if (!run) return s;
  const why = run.why ?? '';
  return { ...s, state: { ...s.state, why, word: wordOf(run.state), since: run.since } };
}

async function running(signal: AbortSignal): Promise<Session[]> {
  const found: Session[] = [];
  let cursor: string | undefined;
  do {
    const query = { state: alive.join(','), limit: maxPageSize, cursor };
    const page = await get('/api/v1/sessions', { query, signal });
    found.push(...(page.sessions ?? []));
    cursor = page.hasMore ? page.next : undefined;
  } while (cursor !== undefined);
  return found;
}

async function living(signal: AbortSignal): Promise<Run[]> {
  if (!runsHere()) return [];
  const page = await get('/api/v1/runs', { query: { living: true }, signal });
  return page.runs ?? [];
}
