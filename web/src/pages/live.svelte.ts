// The live wall: the sessions that are running, or those in the address, and the
// pane that keys act on.

import { untrack } from 'svelte';
import { Load } from '../lib/load.svelte';
import { go, here, swap, withQuery } from '../lib/router.svelte';
import { stateOf, type Session, type Word } from '../lib/session';
import { readWall, type Shown } from '../live/read';
import { alive, most, pageOf, watched } from '../live/wall';

export class LivePage {
  readonly load = new Load<Shown[]>();
  /** at is the number of the pane that keys act on. */
  at = $state(0);
  paused = $state.raw<ReadonlySet<string>>(new Set());
  #smells = $state.raw<ReadonlyMap<string, number>>(new Map());

  /** watching are the sessions that the address names; none means all that run. */
  readonly watching = $derived(watched(here().query.get('watch')));
  /** limit is how many panes a page has. */
  readonly limit = $derived(Math.min(most, Number(here().query.get('panes')) || most));
  /** all are all sessions on the wall; panes are those of the page that is shown. */
  readonly all = $derived(this.load.value ?? []);
  readonly pages = $derived(Math.max(1, Math.ceil(this.all.length / this.limit)));
  /** page is the number of the page in the address, from 0. */
  readonly page = $derived(
    Math.max(0, Math.min(this.pages, Number(here().query.get('page')) || 1) - 1),
  );
  readonly panes = $derived(pageOf(this.all, this.limit, this.page));
  readonly chosen = $derived<Session | undefined>(
    this.panes[Math.min(this.at, this.panes.length - 1)]?.session,
  );
  /** smells is the number of smells on all panes. */
  readonly smells = $derived(
    this.panes.reduce((sum, p) => sum + (this.#smells.get(p.session.id) ?? 0), 0),
  );
  /** counts are of all sessions on the wall, not only those on this page. */
  readonly counts = $derived(
    alive
      .map((word): { word: Word; n: number } => ({
        word,
        n: this.all.filter((p) => stateOf(p.session) === word).length,
      }))
      .filter((c) => c.n > 0),
  );

  read(): void {
    const ids = this.watching;
    void this.load.run((signal) => readWall(ids, signal));
  }

  /** turn shows the next page of panes, or the previous one. */
  turn(by: number): void {
    const to = Math.max(0, Math.min(this.pages - 1, this.page + by));
    this.at = 0;
    swap(withQuery({ page: to === 0 ? '' : String(to + 1) }));
  }

  /** setSmells is called by a pane with the number of its smells. */
  setSmells(id: string, n: number): void {
    // A pane calls this in an effect, which must not depend on the other panes.
    const smells = untrack(() => this.#smells);
    if (smells.get(id) !== n) this.#smells = new Map(smells).set(id, n);
  }

  /** toggleOnly shows the chosen pane alone, or all panes that were there before. */
  toggleOnly(): void {
    const query = here().query;
    if (query.get('only') === '1')
      go(withQuery({ watch: query.get('were') ?? '', only: '', were: '' }));
    else if (this.chosen)
      go(withQuery({ watch: this.chosen.id, only: '1', were: this.watching.join(',') }));
  }

  /** togglePause stops the chosen pane from following its session, or lets it. */
  togglePause(): void {
    if (!this.chosen) return;
    const next = new Set(this.paused);
    if (!next.delete(this.chosen.id)) next.add(this.chosen.id);
    this.paused = next;
  }
}
