// The curve of a session: what was in the context at each prompt, and what all of it had cost.

import type { Schemas } from '../api/client';

export type Turn = Schemas['TurnUsage'];
type Evidence = Schemas['Evidence'];

export interface Point {
  turn: Turn;
  context: number; // tokens before the last answer; that of the point before where none is known
  own: number; // dollars up to here, without agents
  agents: number; // dollars of agents up to here
  compacted: boolean; // before its last answer
  misses: Evidence[]; // answers that had to be given their context again
}

/** curve is the points of the active conversation, one for each prompt. Costs are of all
 * conversations: what a branch that was left cost is paid too. */
export function curve(turns: readonly Turn[], misses: readonly Evidence[] = []): Point[] {
  const points: Point[] = [];
  let [own, agents, context] = [0, 0, 0];
  for (const turn of turns) {
    own += turn.cost.usd ?? 0;
    agents += turn.agents?.cost.usd ?? 0;
    if (!turn.active) continue;
    context = turn.contextTokens || context;
    const compacted = (turn.compactionCount ?? 0) > 0;
    points.push({ turn, context, own, agents, compacted, misses: [] });
  }
  for (const miss of misses) at(points, miss.timestamp)?.misses.push(miss);
  const last = points.at(-1);
  if (last) [last.own, last.agents] = [own, agents];
  return points;
}

/** at is the prompt that was the last one at a time. */
function at(points: readonly Point[], time: string | undefined): Point | undefined {
  const when = Date.parse(time ?? '');
  return points.findLast((p) => Date.parse(p.turn.timestamp ?? '') <= when);
}

/** top is the end of an axis: the next round number at or above a value. */
export function top(value: number): number {
  if (value <= 0) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return size * ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((m) => m * size >= value) ?? 10);
}
