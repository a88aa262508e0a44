// How the turns of a session hang together, in rows and lanes. A row is a prompt
// with everything that was answered to it until the next prompt or fork. The
// conversation that is read runs down lane 0; a branch is drawn right below the turn it
// leaves, one lane further to the right, and ends before the parent lane continues. So a
// row in lane n has exactly the lanes 0 to n-1 running past it.

export interface Turn {
  id: string;
  parentId?: string;
  role: 'prompt' | 'answer' | 'notes' | 'session'; // session: one that was forked from here
  text?: string;
  timestamp?: string;
  compacted?: boolean;
  active?: boolean;
}

export interface Row<T extends Turn = Turn> {
  id: string; // of its first turn
  turns: T[];
  lane: number;
  /** from is the lane it leaves; undefined for a root, its own lane where it continues. */
  from: number | undefined;
  /** on reports whether its lane continues below. */
  on: boolean;
  ways: number; // rows that follow it
  here: boolean; // on the way that is read
  broken: boolean; // its parent is not there
}

interface Stretch<T extends Turn> {
  turns: T[];
  parent: number;
  children: number[];
  here: boolean;
  broken: boolean;
}

/** layout puts turns into rows. The way that is read ends with the turn last; without it, it is the
 * active one. It takes time in proportion to the turns, but for sorting. */
export function layout<T extends Turn>(turns: T[], last?: string): Row<T>[] {
  const stretches = cut(turns, last);
  const rows: Row<T>[] = [];
  const roots = stretches.flatMap((s, i) => (s.parent < 0 ? [i] : []));
  const order = (list: number[]): number[] =>
    list.length < 2
      ? list
      : list.sort((a, b) => Number(stretches[a]?.here) - Number(stretches[b]?.here) || a - b);
  // The last on the stack comes next: branches before the continuing lane.
  const stack = order(roots)
    .map((at) => ({ at, lane: 0, from: undefined as number | undefined }))
    .reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    const s = stretches[next.at] as Stretch<T>;
    const children = order(s.children);
    rows.push({
      id: s.turns[0]?.id ?? '',
      turns: s.turns,
      lane: next.lane,
      from: next.from,
      on: children.length > 0,
      ways: children.length,
      here: s.here,
      broken: s.broken,
    });
    for (let i = children.length - 1; i >= 0; i--) {
      const lane = i === children.length - 1 ? next.lane : next.lane + 1;
      stack.push({ at: children[i] as number, lane, from: next.lane });
    }
  }
  return rows;
}

/** parents gives the index of every turn's parent: -1 for a beginning, -2 for one that is missing or
 * comes later, as in a loop. */
function parents(turns: Turn[], index: Map<string, number>): Int32Array {
  const list = new Int32Array(turns.length);
  for (const [i, t] of turns.entries()) {
    const at = t.parentId === undefined ? -1 : (index.get(t.parentId) ?? -2);
    list[i] = at < i ? at : -2;
  }
  return list;
}

/** onPath marks the turns of the way that is read. */
function onPath(turns: Turn[], up: Int32Array, last: number | undefined): Uint8Array {
  const path = new Uint8Array(turns.length);
  if (last === undefined) for (const [i, t] of turns.entries()) path[i] = t.active ? 1 : 0;
  else for (let i = last; i >= 0; i = up[i] as number) path[i] = 1;
  return path;
}

/** startsRow reports whether a turn never continues the row above it. */
const startsRow = (t: Turn): boolean =>
  t.role === 'prompt' || t.role === 'session' || t.compacted === true;

/** cut makes stretches: a new one begins with a prompt, at a fork, and after a compaction. */
function cut<T extends Turn>(turns: T[], last: string | undefined): Stretch<T>[] {
  const index = new Map(turns.map((t, i) => [t.id, i]));
  const up = parents(turns, index);
  const path = onPath(turns, up, last === undefined ? undefined : (index.get(last) ?? -1));
  const follow = new Uint32Array(turns.length);
  for (const at of up) if (at >= 0) follow[at] = (follow[at] as number) + 1;
  const stretches: Stretch<T>[] = [];
  const of = new Int32Array(turns.length);
  for (const [i, t] of turns.entries()) {
    const at = up[i] as number;
    const parent = at < 0 ? -1 : (of[at] as number);
    if (at >= 0 && follow[at] === 1 && !startsRow(t)) {
      stretches[parent]?.turns.push(t);
      of[i] = parent;
      continue;
    }
    of[i] = stretches.length;
    if (parent >= 0) stretches[parent]?.children.push(stretches.length);
    stretches.push({ turns: [t], parent, children: [], here: path[i] === 1, broken: at === -2 });
  }
  return stretches;
}
