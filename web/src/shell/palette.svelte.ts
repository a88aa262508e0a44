// What the command palette offers: sessions, pages, and what can be done on the
// current page.

import { get } from '../api/client';
import { fileHref } from '../file/href';
import { FileNames, type NamedFile } from '../file/names';
import { Debounce } from '../lib/debounce';
import { ago } from '../lib/format';
import { bindings, perform } from '../lib/keys.svelte';
import { go } from '../lib/router.svelte';
import { projectName, titleOf, type Session } from '../lib/session';
import { setTheme, themes } from '../lib/theme.svelte';
import { world } from '../lib/world.svelte';
import { pages } from './pages';

export interface Entry {
  id: string;
  group: string;
  text: string;
  about?: string;
  session?: Session;
  keys?: string[];
  act: () => void;
}

const maxSessions = 8;
const maxFiles = 5;
const maxRest = 12; // pages and commands, until something is typed

/** moves are actions that a list of commands does not need. */
const moves = ['down', 'up', 'page down', 'page up', 'top', 'end', 'back', 'palette', 'open'];

const otherPages = [
  { path: '/sessions', word: 'Sessions', about: 'all of them' },
  { path: '/search', word: 'Search', about: 'find what was said' },
  { path: '/live', word: 'Live', about: 'what is running now' },
];

function pageEntries(): Entry[] {
  return [...pages, ...otherPages].map((p) => ({
    id: `go-${p.path}`,
    group: 'Pages',
    text: p.word,
    about: p.about,
    act: () => go(p.path),
  }));
}

function commandEntries(): Entry[] {
  const all = bindings();
  // "archive" archives a session where "archive page" opens the page.
  const opensPage = (action: string): boolean =>
    pages.some((p) => p.word.toLowerCase() === action) &&
    !all.some((b) => b.action === `${action} page`);
  const commands = all.filter((b) => !moves.includes(b.action) && !opensPage(b.action));
  return [
    ...commands.map((b) => ({
      id: `do-${b.action}`,
      group: 'Commands',
      text: b.action,
      about: b.text,
      keys: b.keys,
      act: () => void perform(b.action),
    })),
    ...themes.map((t) => ({
      id: `theme-${t}`,
      group: 'Commands',
      text: `theme ${t}`,
      act: () => setTheme(t),
    })),
  ];
}

function fileEntry(f: NamedFile): Entry {
  return {
    id: `file-${f.path}`,
    group: 'Files',
    text: f.path,
    about: `changed ${ago(f.changedAt, world.now)}`,
    act: () => go(fileHref(f.path)),
  };
}

export class PaletteModel {
  text = $state('');
  #at = $state(0);
  #sessions = $state.raw<Session[]>([]);
  #files = $state.raw<Entry[]>([]);
  readonly #reading = new Debounce(120);
  readonly #names = new FileNames();
  readonly #rest = [...pageEntries(), ...commandEntries()];

  readonly words = $derived(this.text.trim());
  readonly entries = $derived.by(() => {
    const words = this.words.toLowerCase();
    const rest = this.#rest.filter((e) =>
      `${e.text} ${e.about ?? ''}`.toLowerCase().includes(words),
    );
    const search = words === '' ? [] : [this.#searchEntry()];
    const sessions = this.#sessions.map((s) => this.#sessionEntry(s));
    return [
      ...sessions,
      ...search,
      ...this.#files,
      ...(words === '' ? rest.slice(0, maxRest) : rest),
    ];
  });
  /** at is the number of the entry that Enter runs. */
  readonly at = $derived(Math.min(this.#at, this.entries.length - 1));
  readonly current = $derived(this.entries[this.at]);

  moveTo(n: number): void {
    this.#at = Math.max(0, Math.min(this.entries.length - 1, n));
  }

  /** read reads recent sessions, or those that have the words, and returns a function that stops
   * it. */
  read(): () => void {
    const words = this.words;
    const end = new AbortController();
    this.#reading.idle(() => void this.#find(words, end.signal), words === '' ? 0 : undefined);
    return () => {
      this.#reading.cancel();
      end.abort();
    };
  }

  async #find(q: string, signal: AbortSignal): Promise<void> {
    const query = q === '' ? {} : { q, source: 'user' };
    const [named, files, found] = await Promise.all([
      byId(q, signal),
      this.#names.find(q, signal),
      get('/api/v1/sessions', { query: { ...query, limit: maxSessions }, signal }).then(
        (page) => page.sessions ?? [],
        () => [],
      ),
    ]);
    if (signal.aborted) return;
    this.#files = files.slice(0, maxFiles).map(fileEntry);
    this.#sessions = [...named, ...found.filter((s) => s.id !== named[0]?.id)];
    this.#at = 0;
  }

  #sessionEntry(s: Session): Entry {
    return {
      id: `s-${s.id}`,
      group: this.words === '' ? 'Recent sessions' : 'Sessions',
      text: titleOf(s),
      about: `${projectName(s)} · ${ago(s.lastActivityAt, world.now)}`,
      session: s,
      act: () => go(`/s/${s.id}`),
    };
  }

  #searchEntry(): Entry {
    const words = this.words;
    return {
      id: 'search',
      group: 'Search',
      text: `Search all sessions for “${words}”`,
      act: () => go(`/search?q=${encodeURIComponent(words)}`),
    };
  }
}

/** byId is the session whose id starts with a text that may be one. */
async function byId(text: string, signal: AbortSignal): Promise<Session[]> {
  if (!/^[0-9a-f-]{4,36}$/i.test(text)) return [];
  return get('/api/v1/sessions/{id}', { path: { id: text }, signal }).then(
    (s) => [s],
    () => [],
  );
}
