// What a person does from a page: it is tried, and its failure is said with what
// the server advises.

import { Problem } from '../api/client';
import { say } from './toasts.svelte';
import { sentence } from './text';

/** told is a failure as a person reads it. */
export function told(err: unknown): string {
  if (!(err instanceof Problem)) return String(err);
  return err.hint === '' ? sentence(err.message) : `${sentence(err.message)} ${sentence(err.hint)}`;
}

/** attempt does something and gives its result; undefined if it failed, which was said. */
export async function attempt<T>(deed: () => Promise<T>): Promise<T | undefined> {
  try {
    return await deed();
  } catch (err) {
    say(told(err));
    return undefined;
  }
}
