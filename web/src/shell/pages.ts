// All pages with a description, for the More menu and the palette.

export interface PageLink {
  path: string;
  word: string;
  about: string;
}

export const pages: readonly PageLink[] = [
  { path: '/', word: 'Home', about: 'what needs you, and the cost of today' },
  { path: '/projects', word: 'Projects', about: 'directories you worked in' },
  { path: '/runs', word: 'Runs', about: 'sessions run by sesskeep' },
  { path: '/usage', word: 'Usage', about: 'tokens and cost' },
  { path: '/insights', word: 'Insights', about: 'where time and money went' },
  { path: '/archive', word: 'Archive', about: 'archived sessions' },
  { path: '/trash', word: 'Trash', about: 'deleted sessions, restorable' },
  { path: '/kept', word: 'Kept', about: 'kept copies, and what expires' },
  { path: '/storage', word: 'Storage', about: 'disk usage and cleanup' },
  { path: '/activity', word: 'Activity', about: 'changes made, with undo' },
  { path: '/doctor', word: 'Doctor', about: 'problems and how to fix them' },
  { path: '/settings', word: 'Settings', about: 'appearance, devices, retention' },
];
