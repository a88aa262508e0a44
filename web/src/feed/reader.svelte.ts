// What the rows of a feed share: how blocks are shown, what is folded, and what
// can be done with them.

import { getContext, setContext } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { Modes } from './rows';

export interface Reader {
  id: string; // of the session
  cwd: string;
  modes: Modes;
  /** folds are what was opened or closed by hand, by the key of the row. */
  folds: SvelteMap<string, boolean>;
  live: boolean; // a call without a result is still running
  /** whole is the message whose texts are shown without cuts. */
  whole?: string;
  depth: number; // of agents inside agents
  openWay: (leaf: string, message: string) => void;
}

const key = Symbol('reader');

export function provide(reader: Reader): Reader {
  return setContext(key, reader);
}

export function reader(): Reader {
  return getContext<Reader>(key);
}

/** relative is a path below the directory of the session. */
export function relative(path: string, cwd: string): string {
  return cwd !== '' && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}
