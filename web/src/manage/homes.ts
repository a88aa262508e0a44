// Homes of the client. Pages name the home only if there are several.

import type { Schemas } from '../api/client';

/** words name a home where there are several: "in work". */
export function words(h: Pick<Schemas['Health'], 'roots'>, root: string): string {
  const roots = h.roots ?? [];
  if (roots.length < 2) return '';
  return `in ${roots.find((r) => r.root === root)?.home ?? root}`;
}
