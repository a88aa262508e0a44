import { say } from '../lib/toasts.svelte';

/** copy puts a text where it can be pasted, and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied ${what}`);
  } catch {
    say('This browser does not let pages copy');
  }
}
