// The filter of a list, between the parameters of the address and those of the server.

import type { Schemas } from '../api/client';

/** facets are the filters of a list, in the order they are shown. */
export const facets = [
  { name: 'state', title: 'State', many: true },
  { name: 'source', title: 'Source', many: true },
  { name: 'started', title: 'Started by', many: false },
  { name: 'project', title: 'Project', many: true },
  { name: 'branch', title: 'Git branch', many: true, server: 'gitBranch' },
  { name: 'model', title: 'Model', many: true },
  { name: 'tag', title: 'Tag', many: false },
  { name: 'has', title: 'Has', many: true },
  { name: 'starred', title: 'Star', many: false },
  { name: 'archived', title: 'Archive', many: false },
] as const;

export type Facet = (typeof facets)[number];
export type FacetName = Facet['name'];

/** serverName is the server's name of a facet. */
export function serverName(f: Facet): string {
  return 'server' in f ? f.server : f.name;
}

/** values lists the ticked values of a facet. */
export function values(query: URLSearchParams, name: string): string[] {
  return (query.get(name) ?? '').split(',').filter((v) => v !== '');
}

/** ticked is the parameter of a facet after a value was toggled; undefined means all values. */
export function ticked(query: URLSearchParams, f: Facet, value: string): string | undefined {
  const now = values(query, f.name);
  const rest = now.filter((v) => v !== value);
  if (now.includes(value)) return rest.join(',') || undefined;
  return f.many && !now.includes('all') ? [...now, value].join(',') : value;
}

const plain = ['state', 'source', 'started', 'model', 'tag', 'has', 'q', 'sort'] as const;

/** serverQuery turns the query of an address into one for the server. The page of a project has
 * only sessions of that project. */
export function serverQuery(
  query: URLSearchParams,
  project?: string,
): Record<string, string | undefined> {
  const out: Record<string, string | undefined> = {
    project: project ?? query.get('project') ?? undefined,
    gitBranch: query.get('branch') ?? undefined,
    since: query.get('from') ?? undefined,
    until: query.get('to') ?? undefined,
    minSize: query.get('min') ?? undefined,
    starred: query.get('starred') ? 'true' : undefined,
  };
  for (const name of plain) out[name] = query.get(name) ?? undefined;
  const archived = query.get('archived');
  if (archived === 'only') out['archivedOnly'] = 'true';
  else if (archived) out['includeArchived'] = 'true';
  return out;
}

/** filtered reports whether an address has any filter. */
export function filtered(query: URLSearchParams): boolean {
  return [...query.keys()].some((k) => !['sort', 'view', 'at', 'preview'].includes(k));
}

/** cleared removes every filter. */
export function cleared(query: URLSearchParams): Record<string, undefined> {
  const out: Record<string, undefined> = {};
  for (const key of query.keys()) {
    if (!['sort', 'view', 'preview'].includes(key)) out[key] = undefined;
  }
  return out;
}

/** bulkFilter is the filter of an act on all sessions of a list. */
export function bulkFilter(query: URLSearchParams, project?: string): Schemas['BulkFilter'] {
  const out: Record<string, string | boolean | number> = {};
  for (const [name, value] of Object.entries(serverQuery(query, project))) {
    if (value === undefined || value === '' || name === 'sort') continue;
    const flag = ['starred', 'includeArchived', 'archivedOnly'].includes(name);
    out[name] = flag ? true : name === 'minSize' ? Number(value) : value;
  }
  return out as Schemas['BulkFilter'];
}
