// Numbers and times for people, formatted as the commands do.

/** count formats a number with separators: 1,240. */
export function count(n: number): string {
  return n.toLocaleString('en-US');
}

/** short formats a number in few characters: 57.8k, 3.3M. */
export function short(n: number): string {
  for (const [unit, size] of [
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const) {
    if (n >= size) return `${(n / size).toFixed(1)}${unit}`;
  }
  return String(n);
}

/** bytes formats a size: 214 kB. */
export function bytes(n: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const) {
    if (n >= size) return `${(n / size).toFixed(n / size < 10 ? 1 : 0)} ${unit}`;
  }
  return `${n} B`;
}

/** money formats dollars; a cost above zero never reads $0.00. */
export function money(usd: number): string {
  if (usd > 0 && usd < 0.005) return '<$0.01';
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** lasting formats a duration: 4.2 s, 0:41, 1:02:03. */
export function lasting(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const s = Math.floor(ms / 1000);
  const two = (n: number): string => String(n).padStart(2, '0');
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)}:${two(s % 60)}`;
  return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}

/** ago formats the time since: now, 2m, 3h, 41d. */
export function ago(time: string | undefined, now: number): string {
  if (!time) return '';
  const s = Math.max(0, (now - Date.parse(time)) / 1000);
  if (s < 60) return 'now';
  if (s < 3600) return `${Math.floor(s / 60)}m`;
  if (s < 86_400) return `${Math.floor(s / 3600)}h`;
  return `${Math.floor(s / 86_400)}d`;
}

/** clock formats the time of day in the local zone. */
export function clock(time: string): string {
  return new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

/** date formats day and time in the local zone: 2026-11-02 09:12. */
export function date(time: string): string {
  return `${day(new Date(time))} ${clock(time)}`;
}

export function day(at: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** many formats a count with its noun: 1 session, 5 sessions. */
export function many(n: number, one: string, more = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : more}`;
}
