// Every page and its address. A page is loaded when it is first opened, and is
// given the named parts of its address.

import type { Component } from 'svelte';
import { match } from './lib/router.svelte';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each page has its own parts
type Page = () => Promise<{ default: Component<any> }>;

const pages: [pattern: string, page: Page][] = [
  ['/', () => import('./pages/Home.svelte')],
  ['/projects', () => import('./pages/Projects.svelte')],
  ['/p/:slug', () => import('./pages/Sessions.svelte')],
  ['/sessions', () => import('./pages/Sessions.svelte')],
  ['/search', () => import('./pages/Search.svelte')],
  ['/s/:id', () => import('./pages/Conversation.svelte')],
  ['/s/:id/b/:leaf', () => import('./pages/Conversation.svelte')],
  ['/s/:id/tree', () => import('./pages/Tree.svelte')],
  ['/s/:id/compare/:pair', () => import('./pages/Compare.svelte')],
  ['/s/:id/a/:agent', () => import('./pages/Agent.svelte')],
  ['/s/:id/files', () => import('./pages/Files.svelte')],
  ['/s/:id/usage', () => import('./pages/SessionUsage.svelte')],
  ['/s/:id/raw', () => import('./pages/Raw.svelte')],
  ['/login', () => import('./pages/Login.svelte')],
  ['/pair', () => import('./pages/Pair.svelte')],
  ['/live', () => import('./pages/Live.svelte')],
  ['/runs', () => import('./pages/Runs.svelte')],
  ['/runs/:run', () => import('./pages/Run.svelte')],
  ['/inbox', () => import('./pages/Inbox.svelte')],
  ['/usage', () => import('./pages/Usage.svelte')],
  ['/archive', () => import('./pages/Archive.svelte')],
  ['/trash', () => import('./pages/Trash.svelte')],
  ['/kept', () => import('./pages/Kept.svelte')],
  ['/storage', () => import('./pages/Storage.svelte')],
  ['/activity', () => import('./pages/Activity.svelte')],
  ['/doctor', () => import('./pages/Doctor.svelte')],
  ['/settings', () => import('./pages/Settings.svelte')],
  ['/more', () => import('./pages/More.svelte')],
];

export interface Found {
  page: Page;
  parts: Record<string, string>;
}

/** find is the page at a path, or undefined. */
export function find(path: string): Found | undefined {
  for (const [pattern, page] of pages) {
    const parts = match(pattern, path);
    if (parts) return { page, parts };
  }
  return undefined;
}
