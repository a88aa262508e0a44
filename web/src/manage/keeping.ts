// Figures about our copies.

import type { Schemas } from '../api/client';

/** share is how much is kept; it reads 100 % only if everything is. */
export function share(s: Pick<Schemas['KeepStatus'], 'coveredCount' | 'sessionCount'>): string {
  if (s.sessionCount === 0) return '–';
  if (s.coveredCount >= s.sessionCount) return '100 %';
  return `${Math.min(99, Math.round((100 * s.coveredCount) / s.sessionCount))} %`;
}
