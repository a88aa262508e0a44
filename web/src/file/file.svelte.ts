// The page of a file: the changes that sessions made to it, and what one of them did.

import { ask, get, type Schemas } from '../api/client';
import { edits, undoActs } from '../lib/acts.svelte';
import { attempt } from '../lib/attempt';
import { Load } from '../lib/load.svelte';
import { say } from '../lib/toasts.svelte';

export type Change = Schemas['FileChange'];
export type Log = Schemas['FileLog'];
export type Comparison = Schemas['FileComparison'];
export type Blame = Schemas['BlamePage'];
export type Version = Schemas['FileVersion'];
export type Restoration = Schemas['FileRestoration'];

export const views = ['diff', 'blame', 'file'] as const;
export type View = (typeof views)[number];

const maxChanges = 500;
const latest = ''; // of a file: the last content that is known

/** pathsOf are the different files among changes; the end of a path can mean several. */
export function pathsOf(changes: readonly Change[]): string[] {
  return [...new Set(changes.map((c) => c.path))];
}

/** counted reports whether a change was made: others were refused or failed. */
export function counted(c: Change): boolean {
  return c.state === 'ok' && c.messageId !== '';
}

export class FilePage {
  readonly log = new Load<Log>();
  readonly diff = new Load<Comparison>();
  readonly blame = new Load<Blame>();
  readonly content = new Load<Version>();
  /** plan is what restoring a version would change, once the server has said so. */
  plan = $state.raw<Restoration | undefined>();

  /** readLog reads the changes of a path, or of all files whose path ends with it. */
  readLog(path: string): void {
    void this.log.run((signal) =>
      get('/api/v1/files/log', { query: { path, limit: maxChanges }, signal }),
    );
  }

  /** read reads what a view shows of a change; without one it is the last known content. */
  read(path: string, change: Change | undefined, view: View): void {
    const at = change?.messageId ?? latest;
    if (view === 'diff' && change) this.#readDiff(path, change);
    if (view === 'blame')
      void this.blame.run((signal) => get('/api/v1/files/blame', { query: { path, at }, signal }));
    if (view === 'file')
      void this.content.run((signal) =>
        get('/api/v1/files/version', { query: { path, at }, signal }),
      );
  }

  /** readDiff compares the content at the time of the call with that after it. */
  #readDiff(path: string, change: Change): void {
    const query = { path, a: change.timestamp ?? '', b: change.messageId };
    void this.diff.run((signal) => get('/api/v1/files/compare', { query, signal }));
  }

  /** planRestore shows what restoring the file as it was after a change would do. */
  async planRestore(path: string, at: string): Promise<void> {
    const options = { body: { path, at }, query: { dryRun: true } };
    this.plan = await attempt(() => ask('POST', '/api/v1/files/restore', options));
  }

  /** restore does it. */
  async restore(path: string, at: string): Promise<void> {
    this.plan = undefined;
    const made = await attempt(() => ask('POST', '/api/v1/files/restore', { body: { path, at } }));
    if (!made) return;
    edits.count++;
    const acts = made.actId ? [made.actId] : [];
    if (acts.length === 0) say('The file has that content already.');
    else say('Restored the file.', 'Undo', () => void undoActs(acts));
  }

  close(): void {
    for (const load of [this.log, this.diff, this.blame, this.content]) load.stop();
  }
}

export interface Share {
  name: string;
  color: string; // empty: no session
  lines: number;
}

/** sharesOf counts the lines of a file by the session that wrote them, most first. */
export function sharesOf(blame: Blame, color: (id: string) => string): Share[] {
  const shares = new Map<string, Share>();
  for (const line of blame.lines ?? []) {
    const writer = blame.changes?.[line.changeIndex];
    const key = writer?.sessionId ?? line.origin;
    const known = shares.get(key) ?? {
      name: writer?.title || line.origin,
      color: writer ? color(writer.sessionId) : '',
      lines: 0,
    };
    known.lines++;
    shares.set(key, known);
  }
  return [...shares.values()].sort((a, b) => b.lines - a.lines);
}
