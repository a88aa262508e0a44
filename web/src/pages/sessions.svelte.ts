// The page of all sessions, or of those of a project: the list, the row that keys
// act on, what is selected, and what is done to it.

import {
  edits,
  failedOf,
  failure,
  perform,
  change,
  type Bulk,
  type Target,
} from '../lib/acts.svelte';
import { attempt } from '../lib/attempt';
import { bulkFilter } from '../lib/filter';
import { many } from '../lib/format';
import { go, here, swap, withQuery } from '../lib/router.svelte';
import { save } from '../lib/save';
import type { Session } from '../lib/session';
import { agentsOf, SessionList, type Agent } from '../lib/sessions.svelte';
import { say } from '../lib/toasts.svelte';
import { Work } from '../lib/work.svelte';
import { csv } from '../lists/columns';
import { itemsOf, type Item } from '../lists/items';
import { Selection } from '../lists/selection.svelte';
import { resumeCommand } from '../session/resume';

const maxSelected = 20_000;
const sorts = ['', 'created', 'messages', 'size', 'title'];

export type DialogName = 'tags' | 'rename' | 'export' | 'note';

export class SessionsPage {
  readonly list = new SessionList();
  readonly work = new Work<Bulk>();
  readonly selection = new Selection();
  /** agents are those of the unfolded sessions, by session. */
  agents = $state.raw<ReadonlyMap<string, Agent[]>>(new Map());
  /** current is the key of the row that keys act on. */
  current = $state('');
  /** editing is the key of the row whose title is being edited. */
  editing = $state('');
  /** busy says what is being done to the selection. */
  busy = $state('');
  dialog = $state<DialogName | ''>('');
  /** subjects are the sessions that the dialog changes. */
  subjects = $state.raw<Session[]>([]);
  /** version grows whenever counts may have changed. */
  version = $state(0);

  readonly #project: () => string | undefined;

  constructor(project: () => string | undefined) {
    this.#project = project;
  }

  readonly items = $derived.by(() => itemsOf(this.list.rows, this.agents));
  readonly item = $derived.by(
    () => this.items.find((i) => i.key === this.current) ?? this.items[0],
  );
  /** index is the place of the current row. */
  readonly index = $derived.by(() =>
    Math.max(
      0,
      this.items.findIndex((i) => i.key === this.current),
    ),
  );
  /** target is what an act is about, for the server. */
  readonly target = $derived.by((): Target =>
    this.selection.all
      ? { filter: bulkFilter(here().query, this.#project()) }
      : this.selected().map((s) => s.id),
  );

  /** read reads the list of the address. */
  read(): void {
    const [query, project] = [here().query, this.#project()];
    if (this.list.differs(query, project)) this.selection.clear();
    void this.list.read(query, project);
  }

  /** refresh reads the list and the counts again. */
  refresh(): void {
    this.version++;
    void this.list.refresh();
  }

  /** rowOf is the row that the address names, or the current one while it is not loaded. Undefined
   * if that is the current row already. */
  rowOf(id: string | null): number | undefined {
    const at = this.items.findIndex((i) => i.session.id === id && !i.agent);
    if (at >= 0 && this.items.find((i) => i.key === this.current)?.session.id === id)
      return undefined;
    return at >= 0 ? at : this.index;
  }

  /** moveTo makes a row the current one, and puts it into the address. */
  moveTo(key: string): void {
    this.current = key;
    const id = this.items.find((i) => i.key === key)?.session.id;
    // This page stays until the next one is loaded; the address is the next one's already.
    if (!/^\/(sessions|p\/)/.test(here().path)) return;
    if (id && id !== here().query.get('at')) swap(withQuery({ at: id }));
  }

  open(item: Item | undefined): void {
    if (!item) return;
    const { session, agent } = item;
    go(agent ? `/s/${session.id}/a/${agent.id}` : `/s/${session.id}`);
  }

  toggle(key: string, range: boolean): void {
    this.selection.toggle(this.items, key, range);
    this.current = key;
  }

  /** selected are the sessions an act is about: the selection, or the current row. */
  selected(): Session[] {
    if (this.selection.size > 0) return [...this.selection.sessions.values()];
    return this.item && !this.item.agent ? [this.item.session] : [];
  }

  /** allSelected also reads those that are selected but not loaded. */
  async allSelected(): Promise<Session[]> {
    return this.selection.all ? this.list.all(maxSelected) : this.selected();
  }

  archive(): void {
    if (here().query.get('archived') === 'only')
      void this.#act(
        'unarchive',
        (n) => `Unarchiving ${n}`,
        (n) => `Unarchived ${n}`,
      );
    else
      void this.#act(
        'archive',
        (n) => `Archiving ${n}`,
        (n) => `Archived ${n}`,
      );
  }

  trash(): void {
    void this.#act(
      'delete',
      (n) => `Moving ${n} to the trash`,
      (n) => `Moved ${n} to the trash`,
    );
  }

  async #act(
    action: 'archive' | 'unarchive' | 'delete',
    doing: (sessions: string) => string,
    did: (sessions: string) => string,
  ): Promise<void> {
    const count = this.selection.all ? this.list.total : this.selected().length;
    if (count === 0) return;
    this.busy = `${doing(many(count, 'session'))}…`;
    try {
      const out = await perform(this.target, { action }, did, this.work);
      this.selection.keep(new Set(failedOf(out).map((f) => f.sessionId)));
    } catch (err) {
      failure(err);
      edits.count++; // a part of it may be done
    }
    this.busy = '';
  }

  async star(): Promise<void> {
    const [first] = this.selected();
    if (!first) return;
    const starred = !first.starred;
    const did = (n: string): string => (starred ? `Starred ${n}` : `Removed the star from ${n}`);
    await attempt(() => perform(this.target, { action: 'update', starred }, did));
  }

  async openDialog(name: DialogName): Promise<void> {
    const subjects = await attempt(() => this.allSelected());
    if (!subjects || subjects.length === 0) return;
    this.subjects = subjects;
    this.dialog = name;
  }

  /** fold shows or hides the agents of a session. */
  async fold(id: string): Promise<void> {
    const next = new Map(this.agents);
    if (!next.delete(id)) {
      const agents = await attempt(() => agentsOf(id));
      if (!agents) return;
      next.set(id, agents);
    }
    this.agents = next;
  }

  /** rename gives a session a title; an empty one removes it, undefined leaves it. */
  async rename(id: string, title: string | undefined): Promise<void> {
    const session = this.list.rows.find((s) => s.id === id);
    const text = title?.trim();
    if (!session || text === undefined || text === (session.title ?? '')) return;
    const did = text === '' ? 'Title removed.' : `Renamed to “${text}”.`;
    await attempt(async () => {
      this.list.put(await change(id, { title: text === '' ? null : text }, did));
    });
  }

  async copyIds(): Promise<void> {
    const ids = (await this.allSelected()).map((s) => s.id);
    navigator.clipboard.writeText(ids.join('\n')).then(
      () => say(`Copied ${many(ids.length, 'ID')}.`),
      () => say('This browser does not let pages write to the clipboard.'),
    );
  }

  async copyResume(): Promise<void> {
    const session = this.item?.session;
    if (!session) return;
    await attempt(async () => {
      await navigator.clipboard.writeText(resumeCommand(session));
      say('Copied. Paste it into a terminal.');
    });
  }

  async saveCsv(): Promise<void> {
    await attempt(async () => {
      const sessions = await this.list.all(maxSelected);
      save(new Blob([csv(sessions)], { type: 'text/csv' }), 'sessions.csv');
    });
  }

  sortNext(): void {
    const now = sorts.indexOf(here().query.get('sort') ?? '');
    this.sort(sorts[(now + 1) % sorts.length] ?? '');
  }

  sort(by: string): void {
    go(withQuery({ sort: by, at: undefined }));
  }

  showHidden(): void {
    const archived = this.list.hidden['archived'] ? { archived: 'yes' } : {};
    go(withQuery({ source: 'all', ...archived }));
  }

  /** back closes what is open, and reports whether something was. */
  back(): boolean {
    if (this.dialog !== '') this.dialog = '';
    else if (this.selection.size > 0 || this.selection.open) this.selection.clear();
    else return false;
    return true;
  }
}
