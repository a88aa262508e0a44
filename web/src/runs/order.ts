// A new run as a command, for who starts it in a terminal.

export const modes = ['ask', 'plan', 'acceptEdits'] as const;
export type Mode = (typeof modes)[number];

/** modeWords say what each mode does. */
export const modeWords: Record<Mode, string> = {
  ask: 'asks before it changes or runs something',
  plan: 'only plans',
  acceptEdits: 'edits files without asking',
};

/** modeName is the word for a mode as the client calls it. */
export const modeName = (mode: string): string => (mode === 'default' ? 'ask' : mode);

export interface Order {
  cwd: string;
  prompt: string;
  model: string;
  permissionMode: Mode;
  worktree: string;
  role: string;
  purpose: string;
  budgetUsd: number; // 0: any
}

/** quoted is a word as a shell reads it as one. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) && !word.startsWith('-')
    ? word
    : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** command starts the same in a terminal. */
export function command(o: Order): string {
  const words = ['sesskeep', 'run', 'start', '--detach', '--cwd', quoted(o.cwd)];
  if (o.model !== '') words.push('--model', quoted(o.model));
  if (o.permissionMode !== 'ask') words.push('--permission-mode', o.permissionMode);
  if (o.worktree !== '') words.push('--worktree', quoted(o.worktree));
  if (o.role !== '') words.push('--role', quoted(o.role));
  if (o.purpose !== '') words.push('--purpose', quoted(o.purpose));
  if (o.budgetUsd > 0) words.push('--budget', String(o.budgetUsd));
  return [...words, '--', quoted(o.prompt)].join(' ');
}
