// A conversation as it is read: pages of some turns, fetched when they are near
// the screen. Rows and heights of what was read stay; the blocks themselves only
// of the pages that were shown last.

import { get, Problem } from '../api/client';
import { Debounce } from '../lib/debounce';
import { forksOf, isOf, wrong, type Block, type Fork, type Outline, type Page } from './block';
import { rowsOf, type FeedRow, type Modes } from './rows';
import { Space } from './space';

/** turnsOfPage is how many turns are read at once. */
export const turnsOfPage = 20;
const kept = 40; // pages whose blocks stay
const atOnce = 2; // pages that are asked for at once

/** Asked is a page that was asked for. */
interface Asked {
  done: Promise<void>;
  stop: AbortController;
  must: boolean; // also when it is no longer near the screen
}

interface Stretch {
  from: number;
  turns: number;
}

/** Grown is what was written. */
export interface Grown {
  added: number; // blocks
  marks: boolean; // some of them are in the outline
  whole: boolean; // all of it was read
}

export interface Address {
  id: string;
  leaf?: string;
  root?: string;
}

export class Talk {
  readonly at: Address;
  space = new Space(0);
  /** version grows whenever rows or heights changed from here. */
  version = $state(0);
  leaf = $state('');
  title = $state('');
  turns = $state(0);
  problem = $state.raw<Problem | undefined>();
  ready = $state(false);
  replaced = $state(false);
  outline = $state.raw<Outline | undefined>();
  /** start is the row that was asked for. */
  start = '';

  #pages: Stretch[] = [];
  #counted = -1; // the last line that an event announced; -1: the end was not read
  #blocks = new Map<number, Block[]>(); // by page, the last used at the end
  #rows = new Map<number, FeedRow[]>();
  #asked = new Map<number, Asked>();
  #wanted: number[] = []; // the nearest first
  #retry = new Debounce(2000);
  #forks = new Map<number, Map<string, Fork>>(); // by page
  #modes: Modes;
  #stop = new AbortController();

  constructor(at: Address, modes: Modes) {
    this.at = at;
    this.#modes = modes;
  }

  close(): void {
    this.#stop.abort();
    this.#retry.cancel();
    for (const asked of this.#asked.values()) asked.stop.abort();
  }

  /** open reads the end, or what is around a message. */
  async open(message: string | undefined): Promise<void> {
    try {
      const half = turnsOfPage / 2;
      const page = await this.#ask(
        message ? { around: message, before: half, after: half - 1 } : { before: turnsOfPage },
      );
      this.leaf = page.leaf ?? '';
      this.title = page.title ?? '';
      this.#cut(page);
      this.#take(this.#pageOf(page.turnsBefore), page);
      this.start = (message && this.keyOf(message)) || '';
      this.ready = true;
      // What comes is counted from the end.
      void this.load(this.#pages.length - 1).catch(() => undefined);
    } catch (err) {
      this.#fail(err);
    }
  }

  /** learn reads what is where; the conversation is shown without it first. */
  async learn(): Promise<void> {
    try {
      const path = { id: this.at.id };
      const query = { ...this.#query(), all: this.turns <= 2000 };
      const signal = this.#stop.signal;
      const out = await get('/api/v1/sessions/{id}/outline', { path, query, signal });
      this.outline = out as Outline;
    } catch {
      // What is where can be learned later; what was read is still there.
    }
  }

  get modes(): Modes {
    return this.#modes;
  }

  /** show changes what is shown of the blocks. */
  show(modes: Modes): void {
    this.#modes = modes;
    this.space.forget();
    this.#redo();
  }

  /** rows are those of a page, or undefined until it was read. */
  rows(page: number): FeedRow[] | undefined {
    const blocks = this.#blocks.get(page);
    if (!blocks) return undefined;
    this.#blocks.delete(page);
    this.#blocks.set(page, blocks);
    let rows = this.#rows.get(page);
    if (!rows) {
      rows = rowsOf(blocks, this.#modes, this.#forks.get(page) ?? new Map());
      this.#rows.set(page, rows);
    }
    return rows;
  }

  /** want names the pages near the screen, the nearest first. Pages that the reader passed while
   * dragging the scroll bar are not read. */
  want(pages: number[]): void {
    this.#wanted = pages;
    for (const [page, asked] of this.#asked)
      if (!asked.must && !pages.includes(page)) asked.stop.abort();
    this.#next();
  }

  #next(): void {
    for (const page of this.#wanted) {
      if (this.#asked.size >= atOnce) return;
      if (this.#pages[page] && !this.#blocks.has(page)) void this.#read(page, false);
    }
  }

  /** load reads a page, whether it is near the screen or not. */
  async load(page: number): Promise<void> {
    if (this.#pages[page] && !this.#blocks.has(page)) await this.#read(page, true);
  }

  #read(page: number, must: boolean): Promise<void> {
    const running = this.#asked.get(page);
    if (running && !running.stop.signal.aborted) {
      running.must ||= must;
      return running.done;
    }
    const stop = new AbortController();
    const { from, turns } = this.#pages[page] as Stretch;
    const done = this.#ask({ from, after: turns - 1 }, stop.signal)
      .then(
        (answer) => this.#take(page, answer),
        (err: unknown) => {
          if (stop.signal.aborted) return;
          this.#fail(err);
          this.#retry.idle(() => this.#next());
          throw err;
        },
      )
      .finally(() => {
        if (this.#asked.get(page)?.stop === stop) this.#asked.delete(page);
      });
    this.#asked.set(page, { done, stop, must });
    done.then(
      () => this.#next(),
      () => undefined,
    );
    return done;
  }

  /** seek reads the page that holds a message and returns the key of its row. */
  async seek(message: string): Promise<string | undefined> {
    const known = this.keyOf(message);
    if (known) return known;
    try {
      const one = await this.#ask({ around: message, before: 0, after: 0 });
      if (one.leaf !== this.leaf || one.turns.length === 0) return undefined;
      await this.load(this.#pageOf(one.turnsBefore));
      const id = one.blocks.find((b) => isOf(b, message));
      return this.keyOf(id?.messageId ?? message) ?? this.keyOf(one.blocks[0]?.messageId ?? '');
    } catch (err) {
      this.#fail(err);
      return undefined;
    }
  }

  /** keyOf is the row that shows a message, if its page was read. */
  keyOf(message: string): string | undefined {
    if (this.space.find(message)) return message;
    for (const page of [...this.#blocks.keys()]) {
      for (const row of this.rows(page) ?? []) {
        if (row.kind === 'way') continue;
        const blocks = row.kind === 'group' ? row.blocks : [row.block];
        if (blocks.some((b) => isOf(b, message))) return row.key;
      }
    }
    return undefined;
  }

  /** turn reads the page of a turn. */
  async turn(n: number): Promise<number> {
    const page = this.#pageOf(n);
    await this.load(page);
    return page;
  }

  /** grow reads what was written since. */
  async grow(): Promise<Grown> {
    const grown = { added: 0, marks: false, whole: true };
    // What was read before the way to the server broke counts.
    if (this.ready) await this.#more(grown).catch(() => (grown.whole = false));
    return grown;
  }

  async #more(grown: Grown): Promise<void> {
    await this.load(this.#pages.length - 1);
    for (;;) {
      const last = this.#pages.length - 1;
      const stretch = this.#pages[last] ?? { from: 0, turns: turnsOfPage };
      const answer = await this.#ask({ from: stretch.from, after: turnsOfPage - 1 });
      if (this.#parted(last, answer)) {
        this.replaced = true;
        return;
      }
      const turns = (this.turns = answer.turnCount);
      if (answer.leaf) this.leaf = answer.leaf;
      if (last < 0) this.#pages.push({ from: 0, turns: answer.turns.length });
      else stretch.turns = answer.turns.length;
      this.space.resize(this.#pages.length);
      const fresh = answer.blocks.filter((b) => b.kind !== 'meta' && (b.line ?? 0) > this.#counted);
      grown.added += fresh.length;
      this.#counted = Math.max(this.#counted, ...answer.blocks.map((b) => b.line ?? 0));
      grown.marks ||= fresh.some((b) => b.kind === 'prompt' || b.kind === 'boundary' || wrong(b));
      this.#take(Math.max(0, last), answer);
      if (!answer.turnsAfter) return;
      const next = stretch.from + answer.turns.length;
      this.#pages.push({ from: next, turns: Math.min(turnsOfPage, turns - next) });
      this.space.resize(this.#pages.length);
    }
  }

  /** parted reports whether the blocks that were read of a page have been replaced. */
  #parted(page: number, answer: Page): boolean {
    const had = this.#blocks.get(page);
    if (!had || had.length === 0) return false;
    const ids = new Set(answer.blocks.map((b) => b.messageId));
    return !had.every((b) => ids.has(b.messageId));
  }

  #fail(err: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.problem = err instanceof Problem ? err : new Problem(-1, 'broken', String(err), '');
  }

  #query(): Record<string, string | undefined> {
    // A leaf that was written on leads to what follows it.
    return { leaf: this.leaf || this.at.leaf, root: this.at.root };
  }

  async #ask(
    more: Record<string, string | number>,
    signal: AbortSignal = this.#stop.signal,
  ): Promise<Page> {
    const query = { ...this.#query(), ...more };
    const asked = { path: { id: this.at.id }, query, signal };
    return (await get('/api/v1/sessions/{id}/blocks', asked)) as Page;
  }

  /** cut makes the pages around the one that was read first. */
  #cut(answer: Page): void {
    const end = answer.turnsBefore + answer.turns.length;
    this.turns = answer.turnCount;
    const pages: Stretch[] = [{ from: answer.turnsBefore, turns: answer.turns.length }];
    for (let to = answer.turnsBefore; to > 0; to -= turnsOfPage) {
      const from = Math.max(0, to - turnsOfPage);
      pages.unshift({ from, turns: to - from });
    }
    for (let from = end; from < this.turns; from += turnsOfPage) {
      pages.push({ from, turns: Math.min(turnsOfPage, this.turns - from) });
    }
    this.#pages = pages;
    this.space = new Space(pages.length, this.#usual(answer));
  }

  /** usual is how high a page may be, by the first one that is read. */
  #usual(answer: Page): number {
    const rows = rowsOf(answer.blocks, this.#modes, forksOf(answer));
    const one = rows.reduce((sum, r) => sum + r.guess, 0) / Math.max(1, answer.turns.length);
    return Math.round(turnsOfPage * Math.min(Math.max(one, 24), 300));
  }

  #pageOf(turn: number): number {
    let low = 0;
    let high = this.#pages.length - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if ((this.#pages[mid] as Stretch).from <= turn) low = mid;
      else high = mid - 1;
    }
    return Math.max(0, low);
  }

  #take(page: number, answer: Page): void {
    this.#blocks.delete(page);
    this.#blocks.set(page, answer.blocks);
    this.#forks.set(page, forksOf(answer));
    this.#rows.delete(page);
    this.space.fill(page, this.rows(page) ?? []);
    for (const old of this.#blocks.keys()) {
      if (this.#blocks.size <= kept) break;
      this.#blocks.delete(old);
      this.#forks.delete(old);
      this.#rows.delete(old);
    }
    if (page === this.#pages.length - 1 && this.#counted < 0)
      this.#counted = Math.max(0, ...answer.blocks.map((b) => b.line ?? 0));
    this.version++;
  }

  #redo(): void {
    this.#rows.clear();
    for (const page of [...this.#blocks.keys()]) this.space.fill(page, this.rows(page) ?? []);
    this.version++;
  }
}
