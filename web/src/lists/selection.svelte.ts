// The sessions that are selected in a list.

import type { Session } from '../lib/session';
import type { Item } from './items';

export class Selection {
  /** sessions are those whose boxes are ticked, by id. */
  sessions = $state.raw<ReadonlyMap<string, Session>>(new Map());
  /** all means every session that matches, also those that are not loaded. */
  all = $state(false);
  /** open shows the boxes on a phone, where rows have none otherwise. */
  open = $state(false);
  #anchor = ''; // key of the row where a range starts

  get size(): number {
    return this.sessions.size;
  }

  /** toggle ticks or unticks a row; a range ticks everything from the last row that was toggled to
   * this one. */
  toggle(items: readonly Item[], key: string, range: boolean): void {
    const at = items.findIndex((i) => i.key === key);
    const anchor = range ? items.findIndex((i) => i.key === this.#anchor) : at;
    const from = anchor < 0 ? at : anchor;
    const next = new Map(this.sessions);
    const on = range || !next.has(items[at]?.session.id ?? '');
    for (const { session, agent } of items.slice(Math.min(at, from), Math.max(at, from) + 1)) {
      if (agent) continue; // an agent follows its session
      if (on) next.set(session.id, session);
      else next.delete(session.id);
    }
    this.sessions = next;
    this.all = false;
    this.#anchor = key;
  }

  /** toggleLoaded ticks everything that is loaded, or unticks it if all of it is ticked. */
  toggleLoaded(loaded: readonly Session[]): void {
    const every = loaded.every((s) => this.sessions.has(s.id));
    this.sessions = new Map(every ? [] : loaded.map((s) => [s.id, s]));
    this.all = false;
  }

  /** selectAll selects every session that matches. */
  selectAll(loaded: readonly Session[]): void {
    this.sessions = new Map(loaded.map((s) => [s.id, s]));
    this.all = true;
  }

  /** keep unticks all sessions but these. */
  keep(ids: ReadonlySet<string>): void {
    this.sessions = new Map([...this.sessions].filter(([id]) => ids.has(id)));
    this.all = false;
  }

  clear(): void {
    this.sessions = new Map();
    this.all = false;
    this.open = false;
  }
}
