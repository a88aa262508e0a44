import type { Schemas } from '../api/client';

type Project = Schemas['PricedProject'];

export interface Arranged {
  project: Project;
  depth: number;
}

/** arranged puts each worktree below its repository, if that is shown. The filter matches names
 * and paths. */
export function arranged(projects: Project[], filter: string): Arranged[] {
  const want = filter.toLowerCase();
  const shown = projects.filter((p) => `${p.name}\n${p.path}`.toLowerCase().includes(want));
  const heads = new Set(shown.map((p) => `${p.root}\n${p.path}`));
  const below = (p: Project): string =>
    p.repository && p.repository !== p.path ? `${p.root}\n${p.repository}` : '';
  const out: Arranged[] = [];
  for (const p of shown) {
    if (heads.has(below(p))) continue; // listed below its repository
    out.push({ project: p, depth: 0 });
    for (const tree of shown) {
      if (tree !== p && below(tree) === `${p.root}\n${p.path}`)
        out.push({ project: tree, depth: 1 });
    }
  }
  return out;
}
