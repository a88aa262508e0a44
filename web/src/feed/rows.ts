// What of the blocks is shown, and in which rows: calls that follow each other
// are one row until something goes wrong, and where the conversation forks the
// other ways have rows of their own, so that nothing is hidden silently.

import { changed, wrong, type Block, type Fork, type Way } from './block';

export type View = 'conversation' | 'focused' | 'everything';
export type Thinking = 'hidden' | 'peek' | 'full';
export type Tools = 'line' | 'card' | 'full';

export interface Modes {
  view: View;
  thinking: Thinking;
  tools: Tools;
  meta: boolean;
}

interface Base {
  key: string;
  guess: number;
  /** also are the keys of other blocks that are found here: of a group, or hidden before it. */
  also: string[];
  /** message is the one that begins with this row. */
  message: string | undefined;
  /** lanes are the other ways that run beside the row: at most three are drawn. */
  lanes: Lane[];
}

/** Lane is a way beside the path: it begins, runs through, or ends here. */
export interface Lane {
  at: number; // 1, 2, 3
  part: 'begins' | 'runs' | 'ends';
}

export interface BlockRow extends Base {
  kind: 'block';
  block: Block;
  fork: Fork | undefined;
}

export interface GroupRow extends Base {
  kind: 'group';
  blocks: Block[];
}

export interface WayRow extends Base {
  kind: 'way';
  way: Way;
  fork: Fork;
}

export type FeedRow = BlockRow | GroupRow | WayRow;

const drawnLanes = 3;

/** rowsOf are the rows of a page of blocks. A block has the same key however it is shown. */
export function rowsOf(blocks: Block[], modes: Modes, forks: Map<string, Fork>): FeedRow[] {
  const rows: FeedRow[] = [];
  const seen = new Map<string, number>();
  const drawn = new Set<Fork>();
  const named = new Set<string>();
  const finals = modes.view === 'focused' ? lastTexts(blocks) : undefined;
  let run: BlockRow[] = [];
  let hidden: string[] = [];
  const flush = (): void => {
    if (run.length > 1 && modes.tools === 'line') rows.push(group(run));
    else rows.push(...run);
    run = [];
  };
  for (const block of blocks) {
    const key = keyOf(block, seen);
    if (!shown(block, modes, finals)) {
      hidden.push(key);
      continue;
    }
    const row = blockRow(block, key, modes);
    row.also = hidden;
    hidden = [];
    if (block.messageId && !named.has(block.messageId)) row.message = block.messageId;
    named.add(block.messageId ?? '');
    const fork = block.messageId ? forks.get(block.messageId) : undefined;
    if (fork && !drawn.has(fork)) {
      drawn.add(fork);
      flush();
      rows.push(...ways(fork));
      row.fork = fork;
      row.lanes = endings(fork);
    }
    if (groups(block) && !row.fork) {
      const last = run.at(-1)?.block.call;
      if (last && edits(last) !== edits(block.call)) flush(); // a change is shown, not summed up
      run.push(row);
      continue;
    }
    flush();
    rows.push(row);
  }
  flush();
  rows.at(-1)?.also.push(...hidden);
  return rows;
}

function shown(b: Block, modes: Modes, finals: Set<Block> | undefined): boolean {
  if (b.kind === 'meta') return modes.meta || modes.view === 'everything';
  if (b.kind === 'thinking' && modes.thinking === 'hidden') return false;
  if (finals) return b.kind === 'prompt' || b.kind === 'boundary' || finals.has(b);
  return true;
}

/** lastTexts are the final words of every answer. */
function lastTexts(blocks: Block[]): Set<Block> {
  const finals = new Set<Block>();
  let last: Block | undefined;
  for (const b of blocks) {
    if (b.kind === 'prompt' && last) finals.add(last);
    if (b.kind === 'prompt') last = undefined;
    if (b.kind === 'text') last = b;
  }
  if (last) finals.add(last);
  return finals;
}

/** groups reports whether a call can share a row with others. */
function groups(b: Block): boolean {
  const c = b.call;
  return b.kind === 'call' && !!c && c.state === 'ok' && !c.agentId && !c.plan && !c.questions;
}

const edits = (c: Block['call']): boolean => !!c && changed(c) > 0;

function keyOf(block: Block, seen: Map<string, number>): string {
  const id = block.messageId ?? `line ${block.line ?? 0}`;
  const n = seen.get(id) ?? 0;
  seen.set(id, n + 1);
  return n === 0 ? id : `${id}.${n}`;
}

function blockRow(block: Block, key: string, modes: Modes): BlockRow {
  const row = { key, block, guess: guess(block, modes), lanes: [], also: [] };
  return { ...row, kind: 'block', fork: undefined, message: undefined };
}

function group(run: BlockRow[]): GroupRow {
  const [first, ...rest] = run as [BlockRow, ...BlockRow[]];
  return {
    kind: 'group',
    key: first.key,
    blocks: run.map((r) => r.block),
    also: [...first.also, ...rest.flatMap((r) => [...r.also, r.key])],
    message: first.message,
    guess: 24,
    lanes: [],
  };
}

/** ways are the rows of those that part here: older ones above, each with its lane. */
function ways(fork: Fork): WayRow[] {
  const others = fork.ways.filter((w) => !w.here);
  return others.map((way, i) => {
    const lanes: Lane[] = [];
    for (let at = 1; at <= Math.min(i, drawnLanes); at++) lanes.push({ at, part: 'runs' });
    if (i < drawnLanes) lanes.push({ at: i + 1, part: 'begins' });
    const key = `way ${way.messageId}`;
    return { kind: 'way', key, way, fork, guess: 32, lanes, also: [], message: undefined };
  });
}

function endings(fork: Fork): Lane[] {
  const n = Math.min(fork.ways.length - 1, drawnLanes);
  return Array.from({ length: n }, (_, i) => ({ at: i + 1, part: 'ends' }));
}

/** open reports whether a call is expanded at first. */
export function open(b: Block, modes: Modes, alone: boolean): boolean {
  const c = b.call;
  if (!c) return false;
  if (modes.tools === 'full') return true;
  if (c.plan || c.questions) return true;
  if (wrong(b)) return false; // its reason is shown below the line
  return alone && changed(c) > 0 && changed(c) <= 20;
}

/** guess is how high a row will be, roughly. */
function guess(b: Block, modes: Modes): number {
  const lines = (text: string | undefined, wide: number): number => {
    let n = 0;
    for (const line of (text ?? '').slice(0, 12_000).split('\n'))
      n += 1 + Math.floor(line.length / wide);
    return n;
  };
  switch (b.kind) {
    case 'prompt':
      return 32 + Math.min(lines(b.text, 95), 12) * 20;
    case 'text':
      return 8 + lines(b.text, 100) * 20;
    case 'thinking':
      return modes.thinking === 'full' ? 12 + lines(b.text, 105) * 20 : 72;
    case 'call':
      return open(b, modes, true)
        ? 60 + changed(b.call as NonNullable<Block['call']>) * 18
        : wrong(b)
          ? 66
          : 24;
    case 'image':
      return 200;
    default:
      return 28;
  }
}
