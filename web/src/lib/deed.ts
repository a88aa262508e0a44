// What a person does to sessions from a page: it is tried, and its failure is said
// with what the server advises.

import { Problem } from '../api/client';
import { say } from './toasts.svelte';

/** words is a failure as a person reads it. */
export function words(err: unknown): string {
  if (!(err instanceof Problem)) return String(err);
  const text = err.message.charAt(0).toUpperCase() + err.message.slice(1);
  const said = /[.!?]$/.test(text) ? text : `${text}.`;
  return err.hint === '' ? said : `${said} ${err.hint}`;
}

/** attempt does something and gives its result; undefined if it failed, which was said. */
export async function attempt<T>(deed: () => Promise<T>): Promise<T | undefined> {
  try {
    return await deed();
  } catch (err) {
    say(words(err));
    return undefined;
  }
}
