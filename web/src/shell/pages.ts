// The pages that have no place in the bars, and what each is for.

export interface PageLink {
  path: string;
  word: string;
  about: string;
}

export const pages: readonly PageLink[] = [
  { path: '/', word: 'Home', about: 'what needs you, and today' },
  { path: '/projects', word: 'Projects', about: 'directories you worked in' },
  { path: '/runs', word: 'Runs', about: 'sessions that sesskeep runs' },
  { path: '/usage', word: 'Usage', about: 'tokens and money' },
  { path: '/archive', word: 'Archive', about: 'put away, kept for ever' },
  { path: '/trash', word: 'Trash', about: 'deleted, and can be put back' },
  { path: '/kept', word: 'Kept', about: 'our copies, and what expires' },
  { path: '/storage', word: 'Storage', about: 'what takes room, what can go' },
  { path: '/activity', word: 'Activity', about: 'what was changed, with undo' },
  { path: '/doctor', word: 'Doctor', about: 'what is not in order' },
  { path: '/settings', word: 'Settings', about: 'appearance, devices, retention' },
];
