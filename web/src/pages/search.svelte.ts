// The search page: the query of the address, its hits, and the hit that keys act on.

import { get, type Schemas } from '../api/client';
import { partial } from '../lib/coverage.svelte';
import { Debounce } from '../lib/debounce';
import { serverQuery, values } from '../lib/filter';
import { Load } from '../lib/load.svelte';
import { go, here, swap, withQuery } from '../lib/router.svelte';
import { finished } from '../lists/complete';

type Found = Schemas['Found'];
export type Group = Schemas['FoundSession'];
export type Hit = Schemas['Snippet'];
export type Counts = Pick<Found, 'hitCount' | 'total' | 'complete' | 'coverage'>;

const sessionsPerPage = 20;
const maxPageSize = 500; // sessions in one request
const hitsPerSession = 6;
const maxHits = 100; // of one session, when all are shown

/** hitPath is where a hit opens: at its message, on its branch, with the words marked. */
export function hitPath(q: string, g: Group, h: Hit): string {
  const inside = h.agentId ? `/a/${h.agentId}` : h.leaf ? `/b/${h.leaf}` : '';
  const words = new URLSearchParams({ q });
  return `/s/${g.sessionId}${inside}?${words.toString()}${h.messageId ? `#m-${h.messageId}` : ''}`;
}

export class SearchPage {
  readonly load = new Load<Found>();
  /** text is what is typed; it becomes the query shortly afterwards. */
  text = $state('');
  /** took is the time of the last search in ms. */
  took = $state(0);
  /** counts are the figures of the search; they grow when more was searched. */
  counts = $state.raw<Counts | undefined>();
  /** next is the cursor of the next page of sessions. */
  next = $state<string | undefined>();
  #at = $state(0);
  #more = $state.raw<Group[]>([]); // of later pages
  #expanded = $state.raw<ReadonlyMap<string, Hit[]>>(new Map()); // all hits, by session
  readonly #typing = new Debounce(150);
  #counting = new AbortController();
  #counted = ''; // the question that counts answers

  readonly q = $derived(here().query.get('q') ?? '');
  readonly kinds = $derived(values(here().query, 'in'));
  readonly sort = $derived(here().query.get('sort') === 'newest' ? 'newest' : 'best');
  readonly session = $derived(here().query.get('session') ?? '');
  /** near is the project that the user came from. */
  readonly near = $derived(here().query.get('near') ?? '');
  readonly scope = $derived(here().query.get('scope') ?? (this.session ? 'session' : 'all'));

  readonly groups = $derived([...(this.load.value?.results ?? []), ...this.#more]);
  readonly hits = $derived(
    this.groups.flatMap((group) => this.hitsOf(group).map((hit) => ({ group, hit }))),
  );
  /** at is the number of the hit that keys act on. */
  readonly at = $derived(Math.min(this.#at, this.hits.length - 1));
  readonly current = $derived(this.hits[this.at]);

  /** question is what the server is asked, as JSON: it changes only when the results do. */
  readonly question = $derived.by(() => {
    const filter = serverQuery(here().query);
    const inSession =
      this.scope === 'session' && this.session !== '' ? ` session:${this.session}` : '';
    return JSON.stringify({
      ...filter,
      q: this.q + inSession,
      in: this.kinds.join(','),
      sort: this.sort === 'newest' ? 'recent' : 'relevance',
      project: filter['project'] ?? (this.scope === 'project' ? this.near : ''),
      limit: sessionsPerPage,
      hits: hitsPerSession,
      has: undefined, // /search has no such filter
    });
  });

  /** hitsOf are the hits of a session that are shown. */
  hitsOf(g: Group): Hit[] {
    return this.#expanded.get(g.sessionId) ?? g.snippets ?? [];
  }

  isExpanded(g: Group): boolean {
    return this.#expanded.has(g.sessionId);
  }

  /** indexOf numbers the hits of all sessions. */
  indexOf(g: Group, i: number): number {
    let before = 0;
    for (const other of this.groups) {
      if (other === g) return before + i;
      before += this.hitsOf(other).length;
    }
    return -1;
  }

  /** search replaces the results; an empty query has none. */
  search(): void {
    const query = this.#query();
    this.#at = 0;
    this.#more = [];
    this.#expanded = new Map();
    this.#counting.abort();
    this.#counting = new AbortController();
    if (this.q === '') {
      this.load.stop();
      this.load.value = this.load.problem = undefined;
      this.load.loading = false;
      return;
    }
    const start = performance.now();
    const first = this.load.run(async (signal) => {
      const found = await get('/api/v1/search', { query, signal });
      this.took = performance.now() - start;
      this.next = found.next;
      this.counts = this.#larger(found);
      return found;
    });
    void first.then(() => this.#countMore());
  }

  /** countMore counts on after a search that stopped at its budget: with a larger page the server
   * reads more, and then everything. */
  async #countMore(): Promise<void> {
    const question = this.question;
    const { signal } = this.#counting;
    for (const wider of [
      { limit: maxPageSize, exact: '' },
      { limit: 1, exact: 'true' },
    ]) {
      if (!this.counts?.coverage.searchStopped || (wider.exact && partial())) return;
      const query = { ...this.#query(), ...wider, hits: 1 };
      const more = await get('/api/v1/search', { query, signal }).catch(() => undefined);
      if (signal.aborted || question !== this.question) return;
      if (more) this.counts = this.#larger(more);
    }
  }

  /** larger is what a search counted, unless the same search counted more before: neither read
   * everything, and what is counted does not fall while more is read. */
  #larger(found: Counts): Counts {
    const was = this.#counted === this.question ? this.counts : undefined;
    this.#counted = this.question;
    const falls = was && !was.complete && !found.complete && was.hitCount > found.hitCount;
    return falls ? was : found;
  }

  /** searchMore appends the next page of sessions. */
  async searchMore(): Promise<void> {
    const question = this.question;
    const query = { ...this.#query(), cursor: this.next };
    const found = await get('/api/v1/search', { query });
    if (question !== this.question) return;
    this.#more = [...this.#more, ...(found.results ?? [])];
    this.next = found.next;
  }

  /** expand shows all hits of a session. */
  async expand(id: string): Promise<void> {
    const query = { ...this.#query(), q: `${this.q} session:${id}`, hits: maxHits };
    const found = await get('/api/v1/search', { query });
    const group = (found.results ?? []).find((g) => g.sessionId === id);
    if (group) this.#expanded = new Map(this.#expanded).set(id, group.snippets ?? []);
  }

  /** addressChanged shows the query of the address, unless it is what was typed. */
  addressChanged(): void {
    if (this.q !== this.text.trim() && this.q !== finished(this.text)) this.text = this.q;
  }

  /** typed puts the text into the address once typing stops. */
  typed(): void {
    this.#typing.idle(() => swap(withQuery({ q: finished(this.text) })));
  }

  clear(): void {
    this.text = '';
    this.typed();
  }

  /** submit searches at once, or opens the current hit of a search that is done. */
  submit(): void {
    this.#typing.cancel();
    if (this.text.trim() !== this.q) go(withQuery({ q: this.text.trim() }));
    else this.openCurrent();
  }

  openCurrent(): void {
    if (this.current) go(this.pathOf(this.current.group, this.current.hit));
  }

  pathOf(g: Group, h: Hit): string {
    return hitPath(this.q, g, h);
  }

  /** moveTo makes a hit the current one. */
  moveTo(n: number): void {
    this.#at = Math.max(0, Math.min(this.hits.length - 1, n));
  }

  toggleKind(kind: string): void {
    const on = this.kinds.includes(kind)
      ? this.kinds.filter((k) => k !== kind)
      : [...this.kinds, kind];
    go(withQuery({ in: on.join(',') }));
  }

  toggleSort(): void {
    go(withQuery({ sort: this.sort === 'best' ? 'newest' : undefined }));
  }

  close(): void {
    this.#typing.cancel();
    this.#counting.abort();
    this.load.stop();
  }

  #query(): Record<string, string | number | undefined> {
    return JSON.parse(this.question) as Record<string, string | number | undefined>;
  }
}
