// The home page: sessions that need the user, those that work, and recent ones.

import { get, type Reply } from '../api/client';
import { prompts } from '../lib/inbox.svelte';
import { Load } from '../lib/load.svelte';
import { stateOf, type Session } from '../lib/session';

export const maxShown = 5; // of those that need the user, and of those that work
const maxRecent = 10;

/** permissionOf is the tool a session asks to run and its input; undefined if it asks for something
 * else. */
export function permissionOf(s: Session): [tool: string, input: string] | undefined {
  const [, tool, input] = /^permission: (\S+) ?([^]*)$/.exec(s.state?.waitingFor ?? '') ?? [];
  return tool ? [tool, input ?? ''] : undefined;
}

export class HomePage {
  readonly recent = new Load<Reply<'/api/v1/sessions'>>();
  readonly busy = new Load<Reply<'/api/v1/sessions'>>();
  #at = $state(-1);

  /** active are the sessions that work or need the user. */
  readonly active = $derived(this.busy.value?.sessions ?? []);
  /** needs are those that ask in a terminal: what runs of this server ask is in the inbox. */
  readonly needs = $derived.by(() => {
    const answerable = new Set(prompts().map((p) => p.sessionId));
    return this.active.filter((s) => stateOf(s) === 'needs you' && !answerable.has(s.id));
  });
  readonly asking = $derived(prompts().length + this.needs.length);
  readonly working = $derived(this.active.filter((s) => stateOf(s) === 'working'));
  readonly rest = $derived(
    (this.recent.value?.sessions ?? [])
      .filter((s) => !this.active.some((a) => a.id === s.id))
      .slice(0, maxRecent),
  );
  /** order is the order of all sessions on the page. */
  readonly order = $derived([
    ...this.needs.slice(0, maxShown),
    ...this.working.slice(0, maxShown),
    ...this.rest,
  ]);

  read(): void {
    void this.recent.run((signal) => get('/api/v1/sessions', { query: { limit: 16 }, signal }));
    const query = { state: 'working,needs you', limit: 500 };
    void this.busy.run((signal) => get('/api/v1/sessions', { query, signal }));
  }

  /** current is the session that keys act on. */
  get current(): Session | undefined {
    return this.order[this.#at];
  }

  step(by: number): void {
    this.#at = Math.max(0, Math.min(this.order.length - 1, this.#at + by));
  }

  close(): void {
    this.recent.stop();
    this.busy.stop();
  }
}
