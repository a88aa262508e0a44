// Answers to the questions of a session: options, or the user's own words.

import type { Schemas } from '../api/client';

export type Asked = Schemas['LaunchAsked'];

/** Draft is what the user chose and typed for one question. */
export interface Draft {
  picked: readonly string[]; // labels of options
  own: string;
}

/** answerOf returns the answer to a question; empty if there is none yet. Where several options may
 * be chosen, it has them in their order, then the user's own words. */
export function answerOf(q: Asked, { picked, own }: Draft): string {
  const words = own.trim();
  const labels = (q.options ?? []).map((o) => o.label).filter((l) => picked.includes(l));
  if (!q.multiSelect) return words || (labels[0] ?? '');
  return [...labels, ...(words === '' ? [] : [words])].join(', ');
}

/** answersOf returns the answers to all questions; undefined while one is missing. */
export function answersOf(
  questions: readonly Asked[],
  drafts: readonly Draft[],
): Record<string, string> | undefined {
  const all = questions.map((q, n) => [
    q.question,
    answerOf(q, drafts[n] ?? { picked: [], own: '' }),
  ]);
  if (all.length === 0 || all.some(([, answer]) => answer === '')) return undefined;
  return Object.fromEntries(all) as Record<string, string>;
}

/** toggled is a draft after an option was clicked. */
export function toggled(q: Asked, draft: Draft, label: string): Draft {
  if (!q.multiSelect) return { picked: [label], own: '' };
  const picked = draft.picked.includes(label)
    ? draft.picked.filter((l) => l !== label)
    : [...draft.picked, label];
  return { ...draft, picked };
}
