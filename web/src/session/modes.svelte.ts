// How a conversation is shown: from the address, else as it was shown last.

import { here, swap, withQuery } from '../lib/router.svelte';
import type { Modes, Thinking, Tools, View } from '../feed/rows';

export const views: View[] = ['conversation', 'focused', 'everything'];
export const thinkings: Thinking[] = ['hidden', 'peek', 'full'];
export const toolses: Tools[] = ['line', 'card', 'full'];

const place = 'sesskeep.reading';

function kept(): Partial<Modes> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<Modes>;
  } catch {
    return {};
  }
}

function one<T extends string>(list: T[], name: keyof Modes, usual: T): T {
  const said = here().query.get(name) ?? (kept()[name] as string | undefined);
  return list.find((v) => v === said) ?? usual;
}

/** modes reads them; in an effect or markup it follows the address. */
export function modes(): Modes {
  return {
    view: one(views, 'view', 'conversation'),
    thinking: one(thinkings, 'thinking', 'peek'),
    tools: one(toolses, 'tools', 'line'),
    meta: here().query.get('meta') === '1',
  };
}

/** setMode changes one, and keeps it for the next conversation. */
export function setMode(change: Partial<Modes>): void {
  const { meta, ...rest } = change;
  localStorage.setItem(place, JSON.stringify({ ...kept(), ...rest }));
  const query: Record<string, string | undefined> = { ...rest };
  if (meta !== undefined) query['meta'] = meta ? '1' : undefined;
  swap(withQuery(query));
}

/** after is the next of a list, and after the last the first. */
export function after<T>(list: T[], now: T): T {
  return list[(list.indexOf(now) + 1) % list.length] as T;
}
