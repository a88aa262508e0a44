// A list of sessions, read page by page. The old rows stay until the new ones arrive.

import { get, Problem, type Schemas } from '../api/client';
import { serverQuery } from './filter';
import type { Session } from './session';

type Page = Schemas['Page'];
export type Agent = Schemas['Agent'];

const pageSize = 100;
const maxPageSize = 500;

export class SessionList {
  rows = $state.raw<Session[]>([]);
  total = $state(0);
  hidden = $state.raw<Record<string, number>>({});
  complete = $state<boolean | undefined>();
  problem = $state.raw<Problem | undefined>();
  loading = $state(true); // the rows are those of another query, or there are none
  #next: string | undefined;
  #question = ''; // the query as JSON
  #query = new URLSearchParams();
  #project: string | undefined;
  #running: AbortController | undefined;

  /** differs reports whether an address has another query than the list. */
  differs(query: URLSearchParams, project: string | undefined): boolean {
    return JSON.stringify(serverQuery(query, project)) !== this.#question;
  }

  /** read reads the first page of the query of an address. */
  async read(query: URLSearchParams, project: string | undefined): Promise<void> {
    const question = JSON.stringify(serverQuery(query, project));
    if (question === this.#question && !this.problem) return;
    this.#question = question;
    this.#query = query;
    this.#project = project;
    this.loading = true;
    await this.#run(async (signal) => this.#show(await this.#page(signal, pageSize), false));
  }

  /** more appends the next page. */
  async more(): Promise<void> {
    if (this.#next === undefined || this.#running) return;
    await this.#run(async (signal) =>
      this.#show(await this.#page(signal, pageSize, this.#next), true),
    );
  }

  /** refresh reads all loaded rows again. */
  async refresh(): Promise<void> {
    if (this.#running) return;
    const want = Math.max(this.rows.length, pageSize);
    await this.#run(async (signal) => {
      const first = await this.#page(signal, Math.min(want, maxPageSize));
      let rows = first.sessions ?? [];
      let last = first;
      while (rows.length < want && last.next !== undefined) {
        last = await this.#page(signal, maxPageSize, last.next);
        rows = [...rows, ...(last.sessions ?? [])];
      }
      const { next, ...rest } = first;
      this.#show(
        { ...rest, sessions: rows, ...(last.next === undefined ? {} : { next: last.next }) },
        false,
      );
      void next;
    });
  }

  /** all reads the sessions that match, up to a limit. */
  async all(limit: number): Promise<Session[]> {
    const signal = new AbortController().signal;
    let rows: Session[] = [];
    let next: string | undefined;
    do {
      const page = await this.#page(signal, maxPageSize, next);
      rows = [...rows, ...(page.sessions ?? [])];
      next = page.next;
    } while (next !== undefined && rows.length < limit);
    return rows;
  }

  /** put replaces a session in the list. */
  put(s: Session): void {
    this.rows = this.rows.map((r) => (r.id === s.id && r.root === s.root ? { ...r, ...s } : r));
  }

  stop(): void {
    this.#running?.abort();
  }

  async #run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#running?.abort();
    const mine = new AbortController();
    this.#running = mine;
    try {
      await work(mine.signal);
      this.problem = undefined;
    } catch (err) {
      if (mine.signal.aborted) return;
      this.problem =
        err instanceof Problem
          ? err
          : new Problem(-1, 'broken', String(err), 'This is a bug in sesskeep.');
    }
    if (this.#running !== mine) return;
    this.#running = undefined;
    this.loading = false;
  }

  async #page(signal: AbortSignal, limit: number, cursor?: string): Promise<Page> {
    return get('/api/v1/sessions', {
      query: { ...serverQuery(this.#query, this.#project), limit, cursor },
      signal,
    });
  }

  #show(page: Page, append: boolean): void {
    const rows = page.sessions ?? [];
    this.rows = append ? [...this.rows, ...rows] : rows;
    this.total = page.total;
    this.hidden = page.hidden as Record<string, number>;
    this.complete = page.complete;
    this.#next = page.next;
  }
}

/** agentsOf reads the agents of a session, each after the one that started it. */
export async function agentsOf(id: string): Promise<Agent[]> {
  const page = await get('/api/v1/sessions/{id}/agents', { path: { id } });
  return page.agents ?? [];
}

/** hiddenText says how many sessions a list hides: "22 agents and 2 helpers hidden". */
export function hiddenText(hidden: Record<string, number>): string {
  const nouns: Record<string, [string, string]> = {
    user: ['session', 'sessions'],
    agent: ['agent', 'agents'],
    helper: ['helper', 'helpers'],
    archived: ['archived session', 'archived sessions'],
  };
  const names = [...Object.keys(nouns), ...Object.keys(hidden).filter((n) => !(n in nouns))];
  const parts = names
    .filter((name) => (hidden[name] ?? 0) > 0)
    .map((name) => {
      const [one, more] = nouns[name] ?? [name, name];
      const n = hidden[name] ?? 0;
      return `${n.toLocaleString('en-US')} ${n === 1 ? one : more}`;
    });
  if (parts.length === 0) return '';
  const last = parts.pop() ?? '';
  return `${parts.length > 0 ? `${parts.join(', ')} and ${last}` : last} hidden`;
}
