// The page of one session: its conversation, where the reader is in it, and how it
// grows while it is read.

import { tick } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { get, offline, Problem } from '../api/client';
import type { Event } from '../api/events';
import { isOf, type Block } from '../feed/block';
import type { FeedRow } from '../feed/rows';
import { Talk } from '../feed/talk.svelte';
import type { View } from '../feed/view';
import { focusLost } from '../lib/bykeys';
import { Debounce } from '../lib/debounce';
import { go, here } from '../lib/router.svelte';
import { stateOf, type Session } from '../lib/session';
import { Facts } from '../session/facts.svelte';
import type { Hit } from '../session/find.svelte';
import { modes, setMode } from '../session/modes.svelte';

const maxAttempts = 5; // for a session that is not found
const growDelay = 150; // ms; several lines are often written together
const retryDelay = 500; // ms

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export const isPrompt = (r: FeedRow): boolean => r.kind === 'block' && r.block.kind === 'prompt';
export const isFork = (r: FeedRow): boolean => r.kind === 'block' && r.fork !== undefined;

/** firstBlock is the block that a row starts with. */
function firstBlock(row: FeedRow | undefined): Block | undefined {
  if (row?.kind === 'block') return row.block;
  return row?.kind === 'group' ? row.blocks[0] : undefined;
}

/** savedAnchor is the message that was on the screen when this entry of the history was left. */
const savedAnchor = (): string | undefined => (history.state as { anchor?: string } | null)?.anchor;

export class ConversationPage {
  session = $state.raw<Session | undefined>();
  problem = $state.raw<Problem | undefined>();
  talk = $state.raw<Talk | undefined>();
  facts = $state.raw(new Facts(''));
  /** view is the feed, once it is on the page. */
  view = $state.raw<View | undefined>();
  /** pinned means that the end of the conversation stays on the screen. */
  pinned = $state(true);
  /** cursor is the key of the row that keys act on. */
  cursor = $state('');
  /** topTurn is the turn at the top of the screen. */
  topTurn = $state(0);
  /** unread are the blocks that were added below the screen. */
  unread = $state(0);
  /** continuedAt is the leaf of another conversation in which the session continues. */
  continuedAt = $state('');
  /** uncut is the message whose texts are shown in full. */
  uncut = $state('');
  /** attempts grows when everything has to be read again. */
  attempts = $state(0);
  readonly folds = new SvelteMap<string, boolean>();

  readonly #id: () => string;
  readonly #leaf: () => string | undefined;
  readonly #saving = new Debounce(300);
  #sessionOf = ''; // id that session and problem are about
  #growing = false;
  #grown = false; // lines were written since the last reading
  #closed = false;

  constructor(id: () => string, leaf: () => string | undefined) {
    this.#id = id;
    this.#leaf = leaf;
  }

  /** id is that of the session; an address may name it by a prefix. */
  get id(): string {
    return this.session?.id ?? this.#id();
  }

  get state(): ReturnType<typeof stateOf> {
    return this.session ? stateOf(this.session) : 'ended';
  }

  get live(): boolean {
    return this.state === 'working' || this.state === 'needs you';
  }

  get loading(): boolean {
    return !this.problem && (!this.session || !(this.talk?.ready || this.talk?.problem));
  }

  /** mayAppear reports whether something is missing that may come: the server is away, or has not
   * indexed a new session yet. */
  mayAppear(): boolean {
    const failed = this.problem ?? (this.talk?.ready ? undefined : this.talk?.problem);
    if (failed?.status === offline) return true;
    return failed?.status === 404 && this.attempts < maxAttempts;
  }

  /** open shows the conversation of the address, and returns a function that closes it. */
  open(): () => void {
    const leaf = this.#leaf();
    const talk = new Talk({ id: this.#id(), ...(leaf ? { leaf } : {}) }, modes());
    const hash = here().hash;
    const message = hash.startsWith('m-') ? hash.slice(2) : savedAnchor();
    this.pinned = !message;
    this.unread = 0;
    this.cursor = this.continuedAt = '';
    this.folds.clear();
    this.talk = talk;
    void talk.open(message).then(() => this.#opened(talk, message));
    return () => talk.close();
  }

  async #opened(talk: Talk, message: string | undefined): Promise<void> {
    if (this.talk !== talk || !talk.ready) return;
    if (talk.start !== '') this.cursor = talk.start;
    else if (message) await this.jump(message);
    await tick();
    // Keys start where the reader is, unless the focus is elsewhere.
    if (focusLost()) this.view?.focus(this.cursor);
    await talk.learn();
  }

  close(): void {
    this.#closed = true;
    this.#saving.cancel();
  }

  /** openSession reads the session of the address and forgets the facts about it. */
  openSession(): void {
    const id = this.#id();
    if (this.session?.id !== id) this.session = undefined;
    if (this.#sessionOf !== id) this.problem = undefined;
    this.#sessionOf = id;
    this.facts = new Facts(id);
    void this.readSession();
  }

  /** readSession reads what is shown around the conversation. */
  async readSession(): Promise<void> {
    const id = this.#id();
    try {
      const session = await get('/api/v1/sessions/{id}', { path: { id } });
      if (id === this.#id()) [this.session, this.problem] = [session, undefined];
    } catch (err) {
      if (id !== this.#id() || !(err instanceof Problem) || this.session) return;
      this.problem = err.status === 404 ? notFound(err, id) : err;
    }
  }

  /** receive handles an event of the server. */
  receive(e: Event): void {
    if (e.type === 'reset') void this.grow();
    if (e.type === 'run' || e.type === 'inbox') return;
    if (e.data.sessionId !== this.session?.id || e.data.agentId) return;
    if (e.type === 'lines') void this.grow();
    if (e.type === 'replaced') this.attempts++;
    if (e.type === 'state' || e.type === 'moved') void this.readSession();
  }

  /** grow reads what was written; the reader's place does not move. */
  async grow(): Promise<void> {
    this.#grown = true;
    if (this.#growing) return;
    this.#growing = true;
    while (this.#grown && !this.#closed) {
      await pause(growDelay);
      this.#grown = false;
      // A reading that failed is tried again; the status bar shows that the server is away.
      if (!(await this.#readGrowth().catch(() => false))) this.#grown = true;
    }
    this.#growing = false;
  }

  /** readGrowth reports whether everything was read. */
  async #readGrowth(): Promise<boolean> {
    const talk = this.talk;
    if (!talk?.ready) return true;
    const { added, marks, whole } = await talk.grow();
    if (talk !== this.talk) return true;
    if (!this.pinned) this.unread += added;
    if (added === 0 && whole) await this.#findContinuation(talk);
    else if (marks) void talk.learn();
    this.facts.old();
    void this.readSession();
    if (!whole) await pause(retryDelay);
    return whole;
  }

  /** findContinuation checks whether the session continues in another conversation. */
  async #findContinuation(talk: Talk): Promise<void> {
    const path = { id: this.#id() };
    const list = await get('/api/v1/sessions/{id}/conversations', { path });
    const active = list.conversations?.find((c) => c.active)?.leaf ?? '';
    if (talk === this.talk && !this.#leaf() && active !== '' && active !== talk.leaf)
      this.continuedAt = active;
  }

  /** jump scrolls to a message, on another branch if it is not on this one. */
  async jump(message: string): Promise<void> {
    const talk = this.talk;
    const key = await talk?.seek(message);
    if (talk !== this.talk) return;
    if (!key) {
      if (talk?.ready) go(`/s/${this.#id()}#m-${message}`);
      return;
    }
    this.view?.to(key);
    this.cursor = key;
  }

  /** jumpToTurn is jump for a message whose turn is known. */
  async jumpToTurn(message: string, turn: number): Promise<void> {
    await this.talk?.turn(turn).catch(() => undefined);
    await this.jump(message);
  }

  /** step moves the cursor to the next row that is wanted. */
  step(by: 1 | -1, want: (r: FeedRow) => boolean = () => true): void {
    const next = this.view?.beside(this.cursorOrTop(), by, want);
    if (!next) return;
    this.cursor = next;
    this.view?.into(next);
    queueMicrotask(() => this.view?.focus(next));
  }

  cursorOrTop(): string {
    return this.cursor || this.view?.first() || '';
  }

  /** openBranch opens a branch at one of its messages. */
  openBranch(leaf: string, message: string): void {
    go(`/s/${this.id}/b/${leaf}${location.search}#m-${message}`);
  }

  /** stepBranch opens the branch beside this one at the fork above the cursor. */
  stepBranch(by: 1 | -1): void {
    const from = this.cursor || this.view?.last() || '';
    const at = this.rowOf(from);
    const key = at && isFork(at) ? from : this.view?.beside(from, -1, isFork);
    const row = key ? this.rowOf(key) : undefined;
    if (row?.kind !== 'block' || !row.fork || !this.session) return;
    const ways = row.fork.ways;
    const way = ways[ways.findIndex((w) => w.here) + by];
    if (way) this.openBranch(way.leaf, way.messageId);
  }

  rowOf(key: string): FeedRow | undefined {
    const spot = this.talk?.space.find(key);
    return spot ? this.talk?.rows(spot.page)?.[spot.row] : undefined;
  }

  /** lineOf is the line of the transcript that a row starts with. */
  lineOf(key: string): number {
    return firstBlock(this.rowOf(key))?.line ?? 1;
  }

  /** reference names the message at the cursor, as the commands accept it. */
  reference(): string {
    const row = this.rowOf(this.cursor);
    const message = row?.kind === 'block' ? row.block.messageId : undefined;
    return `${this.session?.id.slice(0, 8) ?? this.#id()}${message ? `#${message.slice(0, 8)}` : ''}`;
  }

  /** scrolled saves the row at the top in the history, so that Back returns to it. */
  scrolled(key: string): void {
    const block = firstBlock(this.rowOf(key));
    if (block) this.topTurn = block.turn;
    const address = location.href;
    this.#saving.idle(() => {
      if (location.href !== address) return; // another page was opened
      const anchor = this.pinned ? undefined : key.replace(/\.\d+$/, '').replace(/^way /, '');
      history.replaceState({ ...(history.state as object | null), anchor }, '');
    });
  }

  /** addressChanged saves the place for an address of this conversation that has none yet. */
  addressChanged(): void {
    const key = this.talk?.ready ? this.view?.first() : undefined;
    if (key && !savedAnchor()) this.scrolled(key);
  }

  /** back restores the place that was saved for the address. */
  async back(): Promise<void> {
    const [talk, message] = [this.talk, savedAnchor()];
    await tick();
    const key = talk === this.talk && talk?.ready && message ? talk.keyOf(message) : undefined;
    if (key) this.view?.to(key, 0);
  }

  /** showHit scrolls to a hit; what hides it is shown or unfolded. */
  async showHit(hit: Hit, ranges: () => Range[]): Promise<void> {
    if (hit.leaf && hit.leaf !== this.talk?.leaf && !this.talk?.keyOf(hit.message)) {
      this.openBranch(hit.leaf, hit.message);
      return;
    }
    const shown = modes();
    if (hit.kind === 'thinking' && shown.thinking === 'hidden') setMode({ thinking: 'peek' });
    if (shown.view === 'focused') setMode({ view: 'conversation' });
    await tick();
    await this.jump(hit.message);
    const row = this.rowOf(this.cursor);
    if (row?.kind === 'block' && row.block.kind === 'meta') return;
    if (row) this.unfold(row, hit.message);
    await this.#bring(this.cursor, ranges);
  }

  /** unfold opens what hides the texts of a message in a row. */
  unfold(row: FeedRow, message: string): void {
    this.uncut = message;
    if (row.kind === 'group') {
      this.folds.set(`${row.key} …`, true);
      const i = row.blocks.findIndex((b) => isOf(b, message));
      if (i >= 0) this.folds.set(`${row.key}/${i}`, true);
    } else if (row.kind === 'block' && row.block.kind !== 'text') {
      this.folds.set(row.key, true);
      if (row.block.kind === 'prompt') this.folds.set(`${message} text`, true);
    }
  }

  /** bring scrolls to the first range in a row; the text may still be loading. */
  async #bring(key: string, ranges: () => Range[]): Promise<void> {
    for (let tries = 0; tries < 20 && this.cursor === key; tries++) {
      await tick();
      const range = this.view?.within(key, ranges);
      if (range) return this.view?.bring(range);
      await pause(100);
    }
  }
}

function notFound(err: Problem, id: string): Problem {
  const hint = 'It may be in the trash, or in a home that is not open here.';
  return new Problem(404, err.code, `There is no session ${id}.`, hint);
}
