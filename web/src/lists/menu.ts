// The menu of a session in a list: each entry does what its key does.

import { bindings, perform } from '../lib/keys.svelte';
import type { Session } from '../lib/session';
import type { Entry } from '../parts/ActMenu.svelte';

const entries = [
  ['Open', 'open'],
  ['Rename…', 'rename'],
  ['Tags…', 'tags'],
  ['Note…', 'note'],
  ['Star', 'star'],
  ['Archive', 'archive'],
  ['Export…', 'export'],
  ['Branches', 'tree'],
  ['Watch live', 'watch'],
  ['Raw transcript', 'raw'],
  ['Copy resume command', ''],
  ['Copy ID', 'copy'],
  ['Move to trash', 'trash'],
] as const;

/** menuOf is the menu of a session; copyResume has no key of its own. */
export function menuOf(
  s: Pick<Session, 'starred' | 'archivedAt'>,
  copyResume: () => void,
): Entry[] {
  const bound = bindings();
  const texts: Record<string, string> = {
    star: s.starred ? 'Remove star' : 'Star',
    archive: s.archivedAt ? 'Unarchive' : 'Archive',
  };
  return entries.map(([text, action]) => ({
    text: texts[action] ?? text,
    keys: bound.find((b) => b.action === action)?.keys.slice(0, 1) ?? [],
    act: action === '' ? copyResume : () => void perform(action),
  }));
}
