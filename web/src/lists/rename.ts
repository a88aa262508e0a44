import { day } from '../lib/format';
import { projectName, titleOf, type Session } from '../lib/session';

/** renamed is the title that a pattern gives the session at a place of a list. */
export function renamed(pattern: string, s: Session, place: number): string {
  const values: Record<string, string> = {
    title: titleOf(s),
    project: projectName(s),
    branch: s.gitBranch ?? '',
    date: day(new Date(s.createdAt ?? s.lastActivityAt)),
    n: String(place + 1),
  };
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole).trim();
}
