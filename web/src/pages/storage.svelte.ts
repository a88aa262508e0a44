// The storage page: what can be removed from Claude Code's homes and why that is
// safe, and what uses the space.

import { ask, get, type Schemas } from '../api/client';
import { undoActs } from '../lib/acts.svelte';
import { attempt } from '../lib/attempt';
import { bytes, count, many } from '../lib/format';
import { Load } from '../lib/load.svelte';
import { sentence } from '../lib/text';
import { say } from '../lib/toasts.svelte';
import { Work } from '../lib/work.svelte';

export interface Stored {
  clean: Schemas['CleanPage'];
  homes: Schemas['HomeStorage'][];
  /** names are the names of projects by their directory in the home. */
  names: ReadonlyMap<string, string>;
}

/** Removable is a row: something that can be removed as a whole. */
export interface Removable {
  key: string;
  title: string;
  about: string[];
  /** subject names what would move, in a sentence; without it, it is a number of sessions. */
  subject?: string;
  why: string;
  what: Pick<Schemas['CleanInputBody'], 'sessions' | 'unneeded'>;
}

const maxShares = 8;

/** removables are the rows of what the server found: files that nothing needs, then old sessions. */
export function removables(clean: Schemas['CleanPage']): Removable[] {
  const sessions = (clean.sessions ?? []).filter((s) => s.sessionCount > 0);
  return [...(clean.unneeded ?? []).map(unneeded), ...sessions.map(oldSessions)];
}

function unneeded(u: NonNullable<Schemas['CleanPage']['unneeded']>[number]): Removable {
  return {
    key: u.root + u.kind,
    title: sentence(u.what).replace(/\.$/, ''),
    about: [
      u.kind,
      u.fileCount > 0 ? many(u.fileCount, 'file') : many(u.unitCount, 'entry', 'entries'),
      ...(u.fileSize > 0 ? [bytes(u.fileSize)] : []),
    ],
    subject: u.unitCount === 1 ? 'It' : `All ${count(u.unitCount)}`,
    why: `Safe to remove: ${sentence(u.why)}`,
    what: { unneeded: [u.kind] },
  };
}

function oldSessions(s: Schemas['OldSession']): Removable {
  const days = s.days ?? 0;
  return {
    key: s.empty ? 'empty' : `older-${s.days}`,
    title: s.empty ? 'Empty sessions' : `Sessions not used for ${many(days, 'day')}`,
    about: [many(s.sessionCount, 'session'), bytes(s.fileSize)],
    why: safety(s),
    what: { sessions: s.empty ? { empty: true } : { olderThanDays: days } },
  };
}

/** safety says how many sessions have a copy, and which are skipped. */
function safety(s: Schemas['OldSession']): string {
  const copied =
    s.copiedCount === 0 ? 'None' : `${count(s.copiedCount)} of ${count(s.sessionCount)}`;
  return `${copied} copied so far. Each session is copied before it moves to the trash. Archived, starred and open sessions are skipped.`;
}

/** namesOf are the names of projects by their directory, which several projects can share. */
export function namesOf(projects: { dirName: string; name: string }[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const p of projects) {
    const other = names.get(p.dirName);
    names.set(p.dirName, other && other !== p.name ? `${other}, ${p.name}` : p.name);
  }
  return names;
}

/** largest are the largest shares, and the rest as one. */
export function largest(
  shares: Schemas['Share'][] | null | undefined,
  names: ReadonlyMap<string, string> = new Map(),
): [name: string, size: number][] {
  const all = (shares ?? []).filter((s) => s.fileSize > 0);
  const first = all.slice(0, maxShares);
  const rest = all.slice(maxShares);
  const rows = first.map((s): [string, number] => [names.get(s.name) ?? s.name, s.fileSize]);
  if (rest.length > 0)
    rows.push([many(rest.length, 'other'), rest.reduce((n, s) => n + s.fileSize, 0)]);
  return rows;
}

export class StoragePage {
  readonly load = new Load<Stored>();
  readonly work = new Work<Schemas['Outcome']>();
  /** asking is the key of the row that waits for confirmation. */
  asking = $state('');
  /** plan is what removing that row would do, once the server has said so. */
  plan = $state.raw<Schemas['Outcome'] | undefined>();

  read(): void {
    void this.load.run(async (signal) => {
      const [clean, storage, known] = await Promise.all([
        get('/api/v1/clean', { signal }),
        get('/api/v1/storage', { signal }),
        get('/api/v1/projects', { signal }),
      ]);
      return { clean, homes: storage.homes ?? [], names: namesOf(known.projects ?? []) };
    });
  }

  /** ask shows what removing a row would do. */
  async ask(row: Removable): Promise<void> {
    this.asking = row.key;
    this.plan = undefined;
    const body = { ...row.what, dryRun: true };
    const plan = await attempt(() => ask('POST', '/api/v1/clean', { body }));
    if (this.asking !== row.key) return;
    this.plan = plan;
    if (!plan) this.asking = '';
  }

  /** remove moves a row to the trash. */
  async remove(row: Removable): Promise<void> {
    this.asking = '';
    const out = await attempt(() => this.work.run('POST', '/api/v1/clean', { body: row.what }));
    this.read();
    if (!out) return;
    const acts = (out.results ?? []).map((r) => r.actId ?? 0).filter((id) => id > 0);
    const skipped = out.failed > 0 ? ` ${count(out.failed)} skipped.` : '';
    const text = `Moved ${count(out.changed)} to the trash.${skipped}`;
    if (acts.length === 0) say(text);
    else say(text, 'Undo', () => void undoActs(acts.slice(-1)).then(() => this.read()));
  }

  close(): void {
    this.load.stop();
    this.work.leave();
  }
}
