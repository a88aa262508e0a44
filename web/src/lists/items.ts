// The rows of a list of sessions.

import type { Session } from '../lib/session';
import type { Agent } from '../lib/sessions.svelte';

/** Item is a row: a session, or an agent of the session above it. */
export interface Item {
  key: string;
  session: Session;
  agent?: Agent;
}

/** itemsOf puts the agents of every unfolded session below it. */
export function itemsOf(
  sessions: readonly Session[],
  agents: ReadonlyMap<string, readonly Agent[]>,
): Item[] {
  const items: Item[] = [];
  for (const session of sessions) {
    const key = `${session.id}@${session.root}`;
    items.push({ key, session });
    for (const agent of agents.get(session.id) ?? []) {
      items.push({ key: `${key}/${agent.id}`, session, agent });
    }
  }
  return items;
}
