// The command that resumes a session.

import type { Session } from '../lib/session';

/** quote makes one word of a shell out of any text. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('-')
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** resumeCommand goes to the directory of the session, where the client finds it. */
export function resumeCommand(s: Session, fork = false): string {
  const go = s.projectPath ? `cd -- ${quote(s.projectPath)} && ` : '';
  return `${go}claude --resume ${quote(s.id)}${fork ? ' --fork-session' : ''}`;
}
