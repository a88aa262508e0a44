// Which sessions the live wall shows, and what is worth a second look in them.

import type { Schemas } from '../api/client';
import { stateOf, type Session } from '../lib/session';

export type Block = Schemas['ViewPart'] & { durationMs?: number };

/** most is how many panes fit on one page of the wall. */
export const most = 6;

/** pageOf returns the sessions on one page of the wall, from 0. A page beyond the last one is the
 * last one. */
export function pageOf<T>(all: readonly T[], size: number, page: number): T[] {
  const last = Math.max(0, Math.ceil(all.length / size) - 1);
  const at = Math.max(0, Math.min(last, page)) * size;
  return all.slice(at, at + size);
}

/** alive are the states of a session whose client runs, the one that asks for most first. */
export const alive = ['needs you', 'working', 'your turn', 'idle'] as const;

/** order is the default order of panes: those that need you first, then the most recent. */
export function order(sessions: readonly Session[]): Session[] {
  const rank = (s: Session): number => {
    const at = alive.findIndex((w) => w === stateOf(s));
    return at < 0 ? alive.length : at;
  };
  return sessions.toSorted(
    (a, b) => rank(a) - rank(b) || b.lastActivityAt.localeCompare(a.lastActivityAt),
  );
}

/** watched are the ids in the address. */
export function watched(text: string | null): string[] {
  const ids = (text ?? '').split(',').filter((id) => id !== '');
  return [...new Set(ids)].slice(0, most);
}

/** toggled is a list of watched ids with one more, or one less. */
export function toggled(ids: readonly string[], id: string): string[] {
  return ids.includes(id) ? ids.filter((i) => i !== id) : [...ids, id].slice(-most);
}

/** shown are the blocks that a pane has room for: what was said and done. */
export function shown(blocks: readonly Block[]): Block[] {
  return blocks.filter((b) => b.kind !== 'meta' && b.kind !== 'unknown');
}

/** linesOf is the number of lines that an event of the dashboard is about: it has their positions,
 * and not the lines. */
export function linesOf({ from, to }: Pick<Schemas['Event'], 'from' | 'to'>): number {
  return Math.max(0, (to?.line ?? 0) - (from?.line ?? 0));
}

/** running is the call that has no result yet, if nothing came after it. */
export function running(blocks: readonly Block[]): Block | undefined {
  const last = blocks.findLast((b) => b.kind !== 'meta');
  return last?.call?.state === 'no result' ? last : undefined;
}

/** near are the lines of a change with those around them: what is far from it is left out. */
export function near(lines: readonly string[], around: number): string[] {
  const changed = lines.map((l) => /^[+-]/.test(l));
  return lines.filter((_, i) =>
    changed.slice(Math.max(0, i - around), i + around + 1).some((c) => c),
  );
}

/** plain is what a terminal would show, without its colours. */
export function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  return text.replace(/\u001b\[[0-9;]*m/g, '').replaceAll('\u001b', '␛');
}

/** usual are the phrases that are looked for unless somebody chose others. */
export const usual = ['let me mock', 'simpler approach', 'unrelated to my changes', 'actually ×5'];

interface Phrase {
  text: string;
  least: number; // so often in one block
}

/** phrase reads "actually ×5": five times in one block. */
export function phrase(line: string): Phrase {
  const [, text, least] = /^(.*?)(?:\s*[×x](\d+))?$/u.exec(line.trim()) ?? [];
  return { text: (text ?? '').toLowerCase(), least: Math.max(1, Number(least ?? 1)) };
}

export interface Piece {
  text: string;
  smell: boolean;
}

/** pieces cuts a text at the phrases in it. */
export function pieces(text: string, phrases: readonly string[]): Piece[] {
  const low = text.toLowerCase();
  const marks: [from: number, to: number][] = [];
  for (const p of phrases.map(phrase)) {
    const found = places(low, p.text);
    if (found.length >= p.least)
      marks.push(...found.map((at) => [at, at + p.text.length] as [number, number]));
  }
  const out: Piece[] = [];
  let done = 0;
  for (const [from, to] of marks.sort((a, b) => a[0] - b[0])) {
    if (from < done) continue; // inside the one before
    if (from > done) out.push({ text: text.slice(done, from), smell: false });
    out.push({ text: text.slice(from, to), smell: true });
    done = to;
  }
  if (done < text.length) out.push({ text: text.slice(done), smell: false });
  return out;
}

function places(text: string, word: string): number[] {
  const found: number[] = [];
  if (word === '') return found;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    found.push(at);
  return found;
}

/** smells counts the blocks of thinking and answers that have such a phrase. */
export function smells(blocks: readonly Block[], phrases: readonly string[]): number {
  return blocks.filter(
    (b) =>
      (b.kind === 'thinking' || b.kind === 'text') &&
      pieces(b.text ?? '', phrases).some((p) => p.smell),
  ).length;
}
