// What moving the selected sessions to the trash would do, in words.

import { failedOf, type Bulk } from '../lib/acts.svelte';
import { bytes, count, many } from '../lib/format';

/** planText is that for a number of selected sessions; without a plan it only counts them. */
export function planText(selected: number, plan: Bulk[] | undefined): string {
  if (!plan) return `${many(selected, 'session')}.`;
  const sum = (of: (b: Bulk) => number): number => plan.reduce((n, b) => n + of(b), 0);
  const agents = sum((b) => b.agentCount);
  const size = sum((b) => b.fileSize);
  const what = many(selected, 'session') + (agents > 0 ? ` and ${many(agents, 'agent')}` : '');
  const failed = failedOf(plan);
  const alone = selected - sum((b) => b.success?.length ?? 0) - failed.length;
  return [
    size > 0 ? `${what}, ${bytes(size)}.` : `${what}.`,
    skippedText(selected, failed),
    alone > 0 ? `${many(alone, 'selected agent')} can only move with the session.` : '',
  ]
    .filter((t) => t !== '')
    .join(' ');
}

function skippedText(selected: number, failed: ReturnType<typeof failedOf>): string {
  const [first] = failed;
  if (!first) return '';
  const number = failed.length >= selected ? 'all of them' : count(failed.length);
  return `Trash would skip ${number}: ${first.error}.`;
}
