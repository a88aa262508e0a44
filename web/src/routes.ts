// Every page and its address. A page is loaded when it is first opened, and is
// given the named parts of its address.

import type { Component } from 'svelte';
import { match } from './lib/router.svelte';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each page has its own parts
type Page = () => Promise<{ default: Component<any> }>;

const pages: [pattern: string, page: Page][] = [
  ['/', () => import('./pages/Home.svelte')],
  ['/login', () => import('./pages/Login.svelte')],
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
