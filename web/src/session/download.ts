// A session as a document.

import { Problem, send } from '../api/client';
import { say } from '../lib/toasts.svelte';
import { titleOf, type Session } from '../lib/session';

export const formats = [
  ['markdown', 'Markdown'],
  ['text', 'Plain text'],
  ['json', 'JSON'],
  ['jsonl', 'The file itself (JSONL)'],
] as const;

const endings: Record<string, string> = {
  markdown: 'md',
  text: 'txt',
  json: 'json',
  jsonl: 'jsonl',
};

/** download saves one conversation, or the file with all of them. */
export async function download(s: Session, leaf: string, format: string): Promise<void> {
  try {
    const query = { format, leaf: format === 'jsonl' ? undefined : leaf };
    const answer = await send('GET', '/sessions/{id}/export', { path: { id: s.id }, query });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await answer.blob());
    const name = titleOf(s)
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60);
    link.download = `${name || s.id.slice(0, 8)}.${endings[format] ?? 'txt'}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch (err) {
    say(err instanceof Problem ? err.message : String(err));
  }
}
