// What the insights page says of the server's figures, and where they lead.

import type { Schemas } from '../api/client';

export type Insights = Schemas['Insights'];
export type Evidence = Schemas['Evidence'];
export type DayTime = Schemas['DayTime'];
export type ToolTimes = Schemas['ToolTimes'];

/** messageHref is the page of the message that an address names: SESSION#MESSAGE or
 * SESSION/AGENT#MESSAGE. */
export function messageHref(address: string): string {
  const [, session = '', agent, message] = /^([^/#]+)(?:\/([^#]+))?(?:#(.+))?$/.exec(address) ?? [];
  const page = `/s/${session}${agent ? `/a/${agent}` : ''}`;
  return message ? `${page}#m-${message}` : page;
}

/** time formats a sum of time: 41 s, 12 m, 3 h 40 m. */
export function time(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
  const m = Math.round(ms / 60_000);
  if (m < 60) return `${m} m`;
  return `${Math.floor(m / 60)} h ${String(m % 60).padStart(2, '0')} m`;
}

/** share is a part of a whole in percent; a part above zero never reads 0 %. */
export function share(part: number, whole: number): string {
  if (whole <= 0) return '–';
  const p = (100 * part) / whole;
  if (p > 0 && p < 1) return '<1 %';
  return `${Math.round(p)} %`;
}

/** levels puts values into the six steps of a heat map: 0 is none, 1 to 5 are the fifths of all
 * others. */
export function levels(values: readonly number[]): number[] {
  const some = values.filter((v) => v > 0).sort((a, b) => a - b);
  const limits = [0.2, 0.4, 0.6, 0.8].map((q) => some[Math.floor(q * some.length)] ?? 0);
  return values.map((v) => (v <= 0 ? 0 : 1 + limits.filter((l) => v >= l).length));
}

const shortest = 100; // ms
const longest = 600_000;

/** onScale is where a duration stands between 0.1 s and 10 min on a logarithmic scale, 0 to 1. */
export function onScale(ms: number): number {
  const at = Math.log(Math.max(ms, 1) / shortest) / Math.log(longest / shortest);
  return Math.min(1, Math.max(0, at));
}

/** everyDay adds the days without work between the first day and the last one. */
export function everyDay(days: readonly DayTime[]): DayTime[] {
  const known = new Map(days.map((d) => [d.date, d]));
  const dates = [...known.keys()].sort();
  const list: DayTime[] = [];
  const last = Date.parse(dates.at(-1) ?? '');
  for (let at = Date.parse(dates[0] ?? ''); at <= last && list.length < 400; at += 86_400_000) {
    const date = new Date(at).toISOString().slice(0, 10);
    const none = { date, workingMs: 0, waitingMs: 0, idleMs: 0, watched: false };
    list.push(known.get(date) ?? none);
  }
  return list;
}
