// The page of all branches of a session: the tree, what each row ended with, and
// the two conversations that are picked for comparison.

import { get, Problem, type Schemas } from '../api/client';
import type { Block } from '../feed/block';
import { layout, type Row, type Turn } from '../graph/layout';
import { go } from '../lib/router.svelte';
import { titleOf, type Session } from '../lib/session';

/** TreeTurn is a turn of the session, or another session that was forked from it. */
export type TreeTurn = Omit<Schemas['TreeTurn'], 'role'> & {
  role: Schemas['TreeTurn']['role'] | 'session';
  other?: Session;
};
export type TreeRow = Row<TreeTurn>;
type Conversation = Schemas['IndexConversation'];

/** Tail says how a row ended. */
export interface Tail {
  text: string;
  answers: number;
  calls: number;
  stopped: boolean;
}

const maxForks = 10;
const maxTailText = 300;

/** isOther reports whether a name in picked is that of another session. */
const isOther = (name: string): boolean => name.endsWith(':');

export class TreePage {
  conversations = $state.raw<Conversation[]>([]);
  problem = $state.raw<Problem | undefined>();
  ready = $state(false);
  filter = $state('');
  /** at is the number of the row that keys act on. */
  at = $state(0);
  /** picked are at most two names of conversations: a leaf, or another session's "id:". */
  picked = $state<string[]>([]);
  #turns = $state.raw<TreeTurn[]>([]);
  #tails = $state.raw<ReadonlyMap<string, Tail>>(new Map());
  readonly #requested = new Set<string>(); // rows whose tails were asked for
  readonly #id: () => string;

  constructor(id: () => string) {
    this.#id = id;
  }

  /** all are the rows without the filter. */
  readonly all = $derived(layout<TreeTurn>(this.#turns as (TreeTurn & Turn)[]));
  readonly rows = $derived.by(() => {
    const text = this.filter.toLowerCase();
    if (text === '') return this.all;
    return this.all.filter((r) => r.turns.some((t) => t.text?.toLowerCase().includes(text)));
  });
  /** parents are the turns of this session that another turn of it follows. */
  readonly #parents = $derived(new Set(this.#turns.filter((t) => !t.other).map((t) => t.parentId)));
  readonly forkCount = $derived(this.all.filter((r) => r.ways > 1).length);

  /** open reads the tree, and then the sessions that were forked from it. */
  async open(): Promise<void> {
    this.ready = false;
    this.problem = undefined;
    try {
      const tree = await get('/api/v1/sessions/{id}/tree', { path: { id: this.#id() } });
      const turns = tree.turns ?? [];
      this.conversations = tree.conversations ?? [];
      this.#turns = turns;
      this.ready = true;
      this.picked = [this.conversations.find((c) => c.active)?.leaf ?? ''].filter(Boolean);
      this.#turns = [...turns, ...(await forksOf(tree.sessionId, turns))];
    } catch (err) {
      this.problem = err instanceof Problem ? err : undefined;
    }
  }

  /** leafOf is the conversation that ends in a row. */
  leafOf(row: TreeRow): Conversation | undefined {
    if (row.on && this.#parents.has(row.turns.at(-1)?.id)) return undefined;
    return this.conversations.find((c) =>
      row.turns.some((t) => t.id === c.leaf || t.messageIds?.includes(c.leaf)),
    );
  }

  openRow(row: TreeRow | undefined): void {
    if (!row) return;
    const other = row.turns[0]?.other;
    if (other) go(`/s/${other.id}`);
    else go(`/s/${this.#id()}/b/${this.leafOf(row)?.leaf ?? row.id}#m-${row.id}`);
  }

  /** nameOf is how a row is compared: its conversation, or another session. */
  nameOf(row: TreeRow): string | undefined {
    const other = row.turns[0]?.other;
    return other ? `${other.id}:` : this.leafOf(row)?.leaf;
  }

  /** pick adds a row to the two that are compared, or removes it. Of two, the older one goes; one
   * of them is always a conversation of this session. */
  pick(row: TreeRow | undefined): void {
    const name = row && this.nameOf(row);
    if (!name) return;
    if (this.picked.includes(name)) this.picked = this.picked.filter((n) => n !== name);
    else if (isOther(name))
      this.picked = [...this.picked.filter((n) => !isOther(n)).slice(-1), name];
    else this.picked = [...this.picked.slice(-1), name];
  }

  /** letterOf is the side of a row in the comparison: A, B or none. */
  letterOf(row: TreeRow): string {
    const name = this.nameOf(row);
    return name === undefined ? '' : (['A', 'B'][this.picked.indexOf(name)] ?? '');
  }

  /** compare opens the comparison; another session is always the second side. */
  compare(): void {
    const [a = '', b = ''] = this.picked.toSorted(
      (x, y) => Number(isOther(x)) - Number(isOther(y)),
    );
    go(`/s/${this.#id()}/compare/${a}...${b}`);
  }

  /** tailOf is how a row ended, once it is read: the first call asks for it. */
  tailOf(row: TreeRow): Tail | undefined {
    const known = this.#tails.get(row.id);
    if (known || row.turns[0]?.other || this.#requested.has(row.id)) return known;
    this.#requested.add(row.id);
    void this.#readTail(row).catch(() => undefined); // the row is shown without it
    return undefined;
  }

  async #readTail(row: TreeRow): Promise<void> {
    const leaf = row.turns.at(-1)?.id;
    const query = { around: row.id, leaf, before: 0, after: row.turns.length - 1 };
    const page = await get('/api/v1/sessions/{id}/blocks', {
      path: { id: this.#id() },
      query: { ...query, thinking: false },
    });
    const blocks = (page.blocks ?? []) as Block[];
    const text = blocks.findLast((b) => b.kind === 'text')?.text ?? '';
    this.#tails = new Map(this.#tails).set(row.id, {
      text: text.slice(0, maxTailText),
      answers: row.turns.filter((t) => t.role === 'answer').length,
      calls: blocks.filter((b) => b.kind === 'call').length,
      stopped: blocks.some((b) => b.aborted || b.label === 'stopped') && !row.on,
    });
  }
}

/** forksOf are the sessions that were forked from this one, each below the last turn that both
 * have. */
async function forksOf(id: string, own: TreeTurn[]): Promise<TreeTurn[]> {
  try {
    const query = { forkedFrom: id, source: 'all', includeArchived: true, limit: maxForks };
    const page = await get('/api/v1/sessions', { query });
    const known = new Set(own.map((t) => t.id));
    const forks: TreeTurn[] = [];
    for (const other of page.sessions ?? []) {
      const tree = await get('/api/v1/sessions/{id}/tree', { path: { id: other.id } });
      const shared = (tree.turns ?? []).findLast((t) => t.active && known.has(t.id));
      if (!shared) continue;
      forks.push({
        id: other.id,
        parentId: shared.id,
        role: 'session',
        messageIds: [],
        other,
        text: titleOf(other),
        ...(other.createdAt ? { timestamp: other.createdAt } : {}),
      });
    }
    return forks;
  } catch {
    return []; // the tree itself is what matters
  }
}
