// What is said of a session wherever one is shown, so that it is said alike.

import type { Schemas } from '../api/client';

export type Session = Schemas['Session'];
export type Cost = Schemas['MoneyCost'];

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

/** titleOf is never empty. */
export function titleOf(s: Pick<Session, 'title' | 'description'>): string {
  const text = (s.title ?? '') || (s.description ?? '');
  return text.trim() === '' ? '(no prompt)' : text;
}

/** stateOf is what a session does; one whose file is gone has its own word. */
export function stateOf(s: Session): Word {
  if (s.origin !== 'source') return 'copy only';
  return words.find((w) => w === s.state?.word) ?? 'ended';
}

/** baseName is the last part of a path, whoever wrote it. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

/** projectName is how a project is called where its path has no room. */
export function projectName(s: Pick<Session, 'projectPath' | 'dirName'>): string {
  return baseName(s.projectPath) || s.dirName;
}

/** modelName is a model without what all of them share: opus-5-5. */
export function modelName(model: string): string {
  return model.replace(/^claude-/, '').replace(/-20\d{6}$/, '');
}

/** costOf is the price of a session and of its agents; undefined where nothing was used. */
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

/** agentCount is how many agents a session started. */
export function agentCount(s: Session): number {
  return s.agentSessions?.length ?? 0;
}

/** shortId is what people type. */
export function shortId(id: string): string {
  return id.startsWith('agent-') ? id.slice(6, 14) : id.slice(0, 8);
}
