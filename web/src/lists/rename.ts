import { day } from '../lib/format';
import { projectName, titleOf, type Session } from '../lib/session';

/** renamed is the title that a pattern gives to the session at an index of a list. */
export function renamed(pattern: string, s: Session, index: number): string {
  const values: Record<string, string> = {
    title: titleOf(s),
    project: projectName(s),
    branch: s.gitBranch ?? '',
    date: day(new Date(s.createdAt ?? s.lastActivityAt)),
    n: String(index + 1),
  };
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole).trim();
}
