// A new run as a command, for who starts it in a terminal.

export const modes = ['ask', 'plan', 'acceptEdits'] as const;
export type Mode = (typeof modes)[number];

/** modeWords say what each mode does. */
export const modeWords: Record<Mode, string> = {
  ask: 'asks before it changes or runs something',
  plan: 'only plans',
  acceptEdits: 'edits files without asking',
};

export interface Order {
  cwd: string;
  prompt: string;
  model: string;
  permissionMode: Mode;
  worktree: string;
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
  return [...words, '--', quoted(o.prompt)].join(' ');
}
