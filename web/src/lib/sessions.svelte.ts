// A list of sessions, page by page. What is shown stays while something newer
// comes, and a row keeps its place by its id.

import { get, Problem, type Schemas } from '../api/client';
import { asked } from './filter';
import type { Session } from './session';

type Page = Schemas['Page'];
export type Agent = Schemas['Agent'];

const pageSize = 100;
const most = 500; // of one page

export class SessionList {
  rows = $state.raw<Session[]>([]);
  total = $state(0);
  hidden = $state.raw<Record<string, number>>({});
  complete = $state<boolean | undefined>();
  problem = $state.raw<Problem | undefined>();
  loading = $state(true); // what is shown is of another question, or nothing is
  #next: string | undefined;
  #question = '';
  #query = new URLSearchParams();
  #project: string | undefined;
  #running: AbortController | undefined;

  /** differs tells whether an address asks for other sessions than are shown. */
  differs(query: URLSearchParams, project: string | undefined): boolean {
    return JSON.stringify(asked(query, project)) !== this.#question;
  }

  /** read asks for the first page of what an address says. */
  async read(query: URLSearchParams, project: string | undefined): Promise<void> {
    const question = JSON.stringify(asked(query, project));
    if (question === this.#question && !this.problem) return;
    this.#question = question;
    this.#query = query;
    this.#project = project;
    this.loading = true;
    await this.#run(async (signal) => this.#take(await this.#page(signal, pageSize), false));
  }

  /** more asks for the next page, once. */
  async more(): Promise<void> {
    if (this.#next === undefined || this.#running) return;
    await this.#run(async (signal) =>
      this.#take(await this.#page(signal, pageSize, this.#next), true),
    );
  }

  /** refresh reads what is shown anew. */
  async refresh(): Promise<void> {
    if (this.#running) return;
    const want = Math.max(this.rows.length, pageSize);
    await this.#run(async (signal) => {
      const first = await this.#page(signal, Math.min(want, most));
      let rows = first.sessions ?? [];
      let last = first;
      while (rows.length < want && last.next !== undefined) {
        last = await this.#page(signal, most, last.next);
        rows = [...rows, ...(last.sessions ?? [])];
      }
      const { next, ...rest } = first;
      this.#take(
        { ...rest, sessions: rows, ...(last.next === undefined ? {} : { next: last.next }) },
        false,
      );
      void next;
    });
  }

  /** all are the sessions that match, however many are shown, up to a number. */
  async all(limit: number): Promise<Session[]> {
    const signal = new AbortController().signal;
    let rows: Session[] = [];
    let next: string | undefined;
    do {
      const page = await this.#page(signal, most, next);
      rows = [...rows, ...(page.sessions ?? [])];
      next = page.next;
    } while (next !== undefined && rows.length < limit);
    return rows;
  }

  /** put shows a session as it is now. */
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
        err instanceof Problem ? err : new Problem(-1, 'broken', String(err), 'This is a defect.');
    }
    if (this.#running !== mine) return;
    this.#running = undefined;
    this.loading = false;
  }

  async #page(signal: AbortSignal, limit: number, cursor?: string): Promise<Page> {
    return get('/api/v1/sessions', {
      query: { ...asked(this.#query, this.#project), limit, cursor },
      signal,
    });
  }

  #take(page: Page, append: boolean): void {
    const rows = page.sessions ?? [];
    this.rows = append ? [...this.rows, ...rows] : rows;
    this.total = page.total;
    this.hidden = page.hidden as Record<string, number>;
    this.complete = page.complete;
    this.#next = page.next;
  }
}

/** agentsOf are the agents of a session, each after the one that started it. */
export async function agentsOf(id: string): Promise<Agent[]> {
  const page = await get('/api/v1/sessions/{id}/agents', { path: { id } });
  return page.agents ?? [];
}

/** hiddenText says what a list leaves out: "22 agents and 2 helpers hidden". */
export function hiddenText(hidden: Record<string, number>): string {
  const nouns: Record<string, [string, string]> = {
    user: ['session of yours', 'sessions of yours'],
    agent: ['agent', 'agents'],
    helper: ['helper', 'helpers'],
    archived: ['archived one', 'archived ones'],
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
