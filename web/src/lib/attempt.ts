// Acts of the user that may fail: the failure is shown as a toast, with the hint of
// the server.

import { Problem } from '../api/client';
import { say } from './toasts.svelte';
import { sentence } from './text';

/** errorText is a failure in words for the user. */
export function errorText(err: unknown): string {
  if (!(err instanceof Problem)) return String(err);
  return err.hint === '' ? sentence(err.message) : `${sentence(err.message)} ${sentence(err.hint)}`;
}

/** attempt returns the result of act, or shows its failure and returns undefined. */
export async function attempt<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (err) {
    say(errorText(err));
    return undefined;
  }
}
