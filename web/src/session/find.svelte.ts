// Finds a text in the whole session, also in what is not loaded. The hits stay when
// the bar is closed, so that n and N still step through them.

import { get, Problem, type Schemas } from '../api/client';
import { count, many } from '../lib/format';

export interface Hit {
  message: string;
  leaf: string | undefined;
  line: number;
  kind: string; // of the text: prompt, answer, thinking, input, output, …
}

const maxHits = 2000;

export class Find {
  hits = $state.raw<Hit[]>([]);
  at = $state(-1);
  /** inAgents are the hits in sub-agents, which are counted but not stepped through. */
  inAgents = $state(0);
  /** searched is the text that the hits are of. */
  searched = $state('');
  #total = $state(0);
  #note = $state('');
  #running: AbortController | undefined;
  readonly #show: (hit: Hit) => void;

  constructor(show: (hit: Hit) => void) {
    this.#show = show;
  }

  /** status says which hit is shown, or why there is none. */
  get status(): string {
    if (this.hits.length === 0) return this.#note;
    const some = this.hits.length < this.#total ? `the ${count(this.hits.length)} best of ` : '';
    return `${this.at + 1} of ${some}${many(this.#total, 'hit')}${this.#note}`;
  }

  /** search finds text in a session, and shows the first hit at or after the line that is read. */
  async search(id: string, text: string, line: () => number): Promise<void> {
    this.#running?.abort();
    const mine = (this.#running = new AbortController());
    this.searched = text;
    this.hits = [];
    this.inAgents = this.#total = 0;
    this.#note = text.trim() === '' ? '' : 'searching…';
    if (this.#note === '') return;
    try {
      const query = { q: `${text} session:${id}`, includeArchived: true, source: 'all' };
      const options = { query: { ...query, limit: 20, hits: maxHits }, signal: mine.signal };
      this.#apply(await get('/api/v1/search', options), id);
      const from = line();
      const next = this.hits.findIndex((h) => h.line >= from);
      this.at = Math.max(0, next);
      if (this.hits[this.at]) this.#show(this.hits[this.at] as Hit);
    } catch (err) {
      if (!mine.signal.aborted) this.#note = err instanceof Problem ? err.message : String(err);
    }
  }

  #apply(found: Schemas['Found'], id: string): void {
    // Each agent of the session is a result of its own.
    const mine = found.results?.find((r) => r.sessionId === id);
    this.hits = (mine?.snippets ?? [])
      .filter((s) => s.messageId && !s.agentId)
      .map((s) => ({ message: s.messageId ?? '', leaf: s.leaf, line: s.line, kind: s.kind }))
      .sort((a, b) => a.line - b.line);
    this.#total = Math.max(this.hits.length, mine?.hitCount ?? 0);
    this.inAgents = found.hitCount - (mine?.hitCount ?? 0);
    if (this.hits.length > 0) this.#note = found.complete ? '' : ', partial';
    else
      this.#note = found.complete
        ? 'nothing found'
        : 'nothing found yet: the search is not complete';
  }

  /** step shows another hit, and reports whether there is one. */
  step(by: number): boolean {
    if (this.hits.length === 0) return false;
    this.at = (this.at + by + this.hits.length) % this.hits.length;
    this.#show(this.hits[this.at] as Hit);
    return true;
  }

  /** next steps through the hits of text, or searches for it first. */
  next(id: string, text: string, line: () => number, by: number): void {
    if (text === this.searched && this.hits.length > 0) this.step(by);
    else void this.search(id, text, line);
  }
}
