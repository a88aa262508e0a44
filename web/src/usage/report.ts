// The requests behind the usage page.

import { get, type Schemas } from '../api/client';
import type { Row, Series, Split, Unit } from './chart';

export type Report = Schemas['UsageReport'];

/** Filter is what the whole page is about. */
export interface Filter {
  tz: string;
  since?: string | undefined;
  until?: string | undefined;
  project?: string | undefined;
  model?: string | undefined;
  source?: string | undefined;
}

export interface Answer {
  time: Report; // by day, week or month
  series: Series[]; // the same for what costs most
  chosen: Report; // its totals are those of the chosen day, or of everything
  projects: readonly Row[];
  sessions: readonly Row[];
  stats: Schemas['Stats'];
}

const most = 5; // series beside the rest

/** readUsage asks for everything. A day that is chosen narrows all but the columns, which show
 * where it is. */
export async function readUsage(
  filter: Filter,
  day: { from: Date; to: Date } | undefined,
  unit: Unit,
  split: Split,
  signal: AbortSignal,
): Promise<Answer> {
  const report = (f: Filter, more: Record<string, string | number>): Promise<Report> =>
    get('/api/v1/usage', { query: { ...f, ...more }, signal });
  const narrow = day
    ? { ...filter, since: day.from.toISOString(), until: day.to.toISOString() }
    : filter;
  const time = report(filter, { by: unit });
  const [whole, series, chosen, projects, sessions, stats] = await Promise.all([
    time,
    readSeries(filter, unit, split, report),
    day ? report(narrow, { by: 'model' }) : time,
    report(narrow, { by: 'project' }),
    report(narrow, { by: 'session', limit: 12 }),
    get('/api/v1/stats', { query: { ...narrow }, signal }),
  ]);
  return {
    time: whole,
    series,
    chosen,
    projects: projects.rows ?? [],
    sessions: sessions.rows ?? [],
    stats,
  };
}

async function readSeries(
  filter: Filter,
  unit: Unit,
  split: Split,
  report: (f: Filter, more: Record<string, string | number>) => Promise<Report>,
): Promise<Series[]> {
  const names =
    split === 'source'
      ? ['user', 'agent', 'helper']
      : ((await report(filter, { by: split, limit: most })).rows ?? []).map((r) => r.group);
  const chosen = filter[split];
  const list = await Promise.all(
    (chosen ? [chosen] : names).map(async (name) => ({
      name,
      rows: (await report(filter, { by: unit, [split]: name })).rows ?? [],
    })),
  );
  return list.filter((s) => s.rows.length > 0);
}
