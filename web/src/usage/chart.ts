// What the usage page draws, reckoned from the server's reports.

import type { Schemas } from '../api/client';
import { count, day, money, short } from '../lib/format';

export type Row = Schemas['UsageRow'];
export type Usage = Schemas['SesskeepUsage'];

export const units = ['day', 'week', 'month'] as const;
export type Unit = (typeof units)[number];
export const ranges = ['7d', '30d', '90d', 'all'] as const;
export type Range = (typeof ranges)[number];
export const splits = ['project', 'model', 'source'] as const;
export type Split = (typeof splits)[number];
export const metrics = ['cost', 'tokens', 'answers'] as const;
export type Metric = (typeof metrics)[number];

/** pick is a word of a list, or its usual one. */
export function pick<T extends string>(list: readonly T[], word: string | null, usual: T): T {
  return list.find((w) => w === word) ?? usual;
}

/** begin is the first moment of the day, week or month of a time. */
export function begin(unit: Unit, at: Date): Date {
  const d = new Date(at.getFullYear(), at.getMonth(), at.getDate());
  if (unit === 'week') d.setDate(d.getDate() - ((d.getDay() + 6) % 7));
  if (unit === 'month') d.setDate(1);
  return d;
}

function after(unit: Unit, at: Date): Date {
  const d = new Date(at);
  if (unit === 'month') d.setMonth(d.getMonth() + 1);
  else d.setDate(d.getDate() + (unit === 'week' ? 7 : 1));
  return d;
}

/** since is the first day of a range that ends today. */
export function since(range: Range, now: Date): Date | undefined {
  if (range === 'all') return undefined;
  const d = begin('day', now);
  d.setDate(d.getDate() - Number.parseInt(range) + 1);
  return d;
}

/** slots are all stretches of time between two moments, those without use too. */
export function slots(unit: Unit, from: Date, to: Date): Date[] {
  const list: Date[] = [];
  for (let at = begin(unit, from); at <= to && list.length < 5000; at = after(unit, at))
    list.push(at);
  return list;
}

/** tokens are all that were read and written. */
export function tokens(u: Usage): number {
  return u.input + u.output + u.cacheRead + u.cacheWrite5m + u.cacheWrite1h;
}

/** valueOf is the value that is drawn for a row. An unknown cost adds nothing; the page reports it elsewhere. */
export function valueOf(metric: Metric, r: Pick<Row, 'usage' | 'cost' | 'messageCount'>): number {
  if (metric === 'tokens') return tokens(r.usage);
  if (metric === 'answers') return r.messageCount;
  return r.cost.usd ?? 0;
}

/** shows is a value in words. */
export function shows(metric: Metric, value: number): string {
  if (metric === 'cost') return value === 0 ? '$0' : money(value);
  return metric === 'tokens' ? short(value) : count(value);
}

export interface Series {
  name: string;
  rows: readonly Row[];
}

export interface Column {
  from: Date;
  total: number;
  parts: number[]; // one for each series, in their order
}

/** columns puts reports into their slots, with what is in no series as the last part. */
export function columns(
  all: readonly Row[],
  series: readonly Series[],
  list: readonly Date[],
  metric: Metric,
): Column[] {
  const at = (rows: readonly Row[]): Map<number, number> =>
    new Map(rows.map((r) => [Date.parse(r.from ?? ''), valueOf(metric, r)]));
  const totals = at(all);
  const each = series.map((s) => at(s.rows));
  return list.map((from) => {
    const time = from.getTime();
    const parts = each.map((m) => m.get(time) ?? 0);
    const total = Math.max(totals.get(time) ?? 0, sum(parts));
    return { from, total, parts: [...parts, total - sum(parts)] };
  });
}

function sum(list: readonly number[]): number {
  return list.reduce((a, b) => a + b, 0);
}

export interface Scale {
  top: number; // of the axis
  ticks: number[];
  torn: boolean; // some columns are higher than the axis
}

/** scaleOf finds an axis. Where at most two columns are more than three times as high as all
 * others, the axis is that of the others and these are drawn torn: one large day does not flatten
 * the rest. */
export function scaleOf(values: readonly number[], whole: boolean): Scale {
  const high = values.filter((v) => v > 0).sort((a, b) => b - a);
  let top = high[0] ?? 1;
  let torn = false;
  for (const n of [1, 2]) {
    const next = high[n];
    if (!whole && high.length >= n + 2 && next !== undefined && (high[n - 1] ?? 0) > 3 * next) {
      top = next * 1.6; // room for the tear
      torn = true;
      break;
    }
  }
  const step = nice(top / 3.5);
  const ticks: number[] = [];
  const count = torn ? Math.floor(top / step) : Math.ceil(top / step - 1e-9);
  for (let i = 0; i <= count; i++) ticks.push(i * step);
  return { top: torn ? top : (ticks.at(-1) ?? top), ticks, torn };
}

function nice(x: number): number {
  const size = 10 ** Math.floor(Math.log10(x));
  return size * ([1, 2, 2.5, 5, 10].find((m) => m * size >= x * 0.999) ?? 10);
}

export interface Rect {
  series: number;
  y: number; // of its top, in parts of the height
  height: number;
}

/** rectsOf are the parts of a column from its foot up. The parts of a torn one share its whole
 * height as they share its value. */
export function rectsOf(c: Column, top: number): Rect[] {
  const scale = c.total > top ? c.total : top;
  const list: Rect[] = [];
  let foot = 1;
  for (const [series, part] of c.parts.entries()) {
    if (part <= 0) continue;
    const height = part / scale;
    foot -= height;
    list.push({ series, y: foot, height });
  }
  return list;
}

/** label names a stretch of time: "Sun 15 Nov", "from 9 Nov", "Nov 2026". */
export function label(unit: Unit, from: Date): string {
  const of = (o: Intl.DateTimeFormatOptions): string => from.toLocaleDateString('en-GB', o);
  if (unit === 'month') return of({ month: 'short', year: 'numeric' });
  if (unit === 'week') return `from ${of({ day: 'numeric', month: 'short' })}`;
  return `${of({ weekday: 'short' })} ${of({ day: 'numeric', month: 'short' })}`;
}

/** hitRate is how much of what was read came out of the cache, in percent. */
export function hitRate(u: Usage): string {
  const read = u.cacheRead + u.input + u.cacheWrite5m + u.cacheWrite1h;
  return read === 0 ? '–' : ((100 * u.cacheRead) / read).toFixed(1);
}

/** csv is a table that spreadsheets open; a cell never begins as a formula does. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (v: string | number): string => {
    const text = typeof v === 'string' && /^[=+\-@\t\r]/.test(v) ? `'${v}` : String(v);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((r) => r.map(cell).join(',')).join('\r\n') + '\r\n';
}

/** rowsOf is a report as a table. */
export function rowsOf(rows: readonly Row[]): (string | number)[][] {
  return [
    [
      'group',
      'usd',
      'input',
      'output',
      'cacheRead',
      'cacheWrite5m',
      'cacheWrite1h',
      'sessions',
      'answers',
    ],
    ...rows.map((r) => [
      r.group,
      r.cost.usd ?? '',
      r.usage.input,
      r.usage.output,
      r.usage.cacheRead,
      r.usage.cacheWrite5m,
      r.usage.cacheWrite1h,
      r.sessionCount,
      r.messageCount,
    ]),
  ];
}

/** dayOf is a day as an address names it; undefined if it names none. */
export function dayOf(text: string | null): { from: Date; to: Date } | undefined {
  const [, y, m, d] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? '') ?? [];
  if (!y) return undefined;
  const from = new Date(Number(y), Number(m) - 1, Number(d));
  return day(from) === text ? { from, to: after('day', from) } : undefined;
}
