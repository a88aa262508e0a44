// The title, state, cost and other words of a session, the same on every page.

import type { Schemas } from '../api/client';

export type Session = Schemas['Session'];
/** Cost is in dollars; null if no price is known. */
export interface Cost {
  usd: number | null;
  unpricedModels: string[] | null;
}

export const words = [
  'needs you',
  'working',
  'your turn',
  'idle',
  'unclean',
  'ended',
  'copy only',
] as const;
export type Word = (typeof words)[number];

/** titleOf is the title of a session, or a placeholder. */
export function titleOf(s: Pick<Session, 'title' | 'description'>): string {
  const text = (s.title ?? '') || (s.description ?? '');
  return text.trim() === '' ? '(no prompt)' : text;
}

/** stateOf is the state of a session; one whose file was deleted is "copy only". */
export function stateOf(s: Session): Word {
  if (s.origin !== 'source') return 'copy only';
  return words.find((w) => w === s.state?.word) ?? 'ended';
}

/** baseName is the last part of a path of any operating system. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

/** projectName is the short name of a session's project. */
export function projectName(s: Pick<Session, 'projectPath' | 'dirName'>): string {
  return baseName(s.projectPath) || s.dirName;
}

/** modelName is a model without the common prefix and the date: opus-5-5. */
export function modelName(model: string): string {
  return model.replace(/^claude-/, '').replace(/-20\d{6}$/, '');
}

/** costOf is the cost of a session and its agents; undefined if nothing was used. */
export function costOf(s: Session): Cost | undefined {
  return s.agents ? sum(s.cost, s.agents.cost) : s.cost;
}

function sum(a: Cost | undefined, b: Cost): Cost {
  if (!a) return b;
  const known = a.usd !== null || b.usd !== null;
  return {
    usd: known ? (a.usd ?? 0) + (b.usd ?? 0) : null,
    unpricedModels: [...new Set([...(a.unpricedModels ?? []), ...(b.unpricedModels ?? [])])],
  };
}

/** agentCount is the number of agents that a session started. */
export function agentCount(s: Session): number {
  return s.agentSessions?.length ?? 0;
}

/** shortId is the start of an id, which the commands accept. */
export function shortId(id: string): string {
  return id.startsWith('agent-') ? id.slice(6, 14) : id.slice(0, 8);
}
