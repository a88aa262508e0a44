// Every page and its address. A page is loaded when it is first opened, with the named
// parts of its address as props.

import type { Component } from 'svelte';
import { match } from './lib/router.svelte';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each page has its own props
type Page = () => Promise<{ default: Component<any> }>;

const pages: [pattern: string, word: string, page: Page][] = [
  ['/', 'Home', () => import('./pages/Home.svelte')],
  ['/projects', 'Projects', () => import('./pages/Projects.svelte')],
  ['/p/:slug', 'Sessions', () => import('./pages/Sessions.svelte')],
  ['/sessions', 'Sessions', () => import('./pages/Sessions.svelte')],
  ['/search', 'Search', () => import('./pages/Search.svelte')],
  ['/s/:id', 'Conversation', () => import('./pages/Conversation.svelte')],
  ['/s/:id/b/:leaf', 'Conversation', () => import('./pages/Conversation.svelte')],
  ['/s/:id/tree', 'Tree', () => import('./pages/Tree.svelte')],
  ['/s/:id/compare/:pair', 'Compare', () => import('./pages/Compare.svelte')],
  ['/s/:id/a/:agent', 'Agent', () => import('./pages/Agent.svelte')],
  ['/s/:id/files', 'Files', () => import('./pages/Files.svelte')],
  ['/s/:id/usage', 'Usage', () => import('./pages/SessionUsage.svelte')],
  ['/s/:id/raw', 'Raw', () => import('./pages/Raw.svelte')],
  ['/file', 'File', () => import('./pages/File.svelte')],
  ['/login', 'Sign in', () => import('./pages/Login.svelte')],
  ['/pair', 'Pair', () => import('./pages/Pair.svelte')],
  ['/live', 'Live', () => import('./pages/Live.svelte')],
  ['/runs', 'Runs', () => import('./pages/Runs.svelte')],
  ['/runs/:run', 'Run', () => import('./pages/Run.svelte')],
  ['/inbox', 'Inbox', () => import('./pages/Inbox.svelte')],
  ['/usage', 'Usage', () => import('./pages/Usage.svelte')],
  ['/insights', 'Insights', () => import('./pages/Insights.svelte')],
  ['/archive', 'Archive', () => import('./pages/Archive.svelte')],
  ['/trash', 'Trash', () => import('./pages/Trash.svelte')],
  ['/kept', 'Kept', () => import('./pages/Kept.svelte')],
  ['/storage', 'Storage', () => import('./pages/Storage.svelte')],
  ['/activity', 'Activity', () => import('./pages/Activity.svelte')],
  ['/doctor', 'Doctor', () => import('./pages/Doctor.svelte')],
  ['/settings', 'Settings', () => import('./pages/Settings.svelte')],
  ['/more', 'More', () => import('./pages/More.svelte')],
];

export interface Found {
  word: string; // the title of the browser tab
  page: Page;
  parts: Record<string, string>;
}

/** find returns the page of a path, or undefined. */
export function find(path: string): Found | undefined {
  for (const [pattern, word, page] of pages) {
    const parts = match(pattern, path);
    if (parts) return { word, page, parts };
  }
  return undefined;
}
