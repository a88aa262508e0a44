// A block is one thing a reader sees, as the server sends it.

import { send, type Schemas } from '../api/client';
import type { Hunk } from './diff';

/** Full is an answer whose lists are lists: the document allows null, the server never sends it. */
export type Full<T> = [NonNullable<T>] extends [(infer U)[]]
  ? Full<U>[]
  : T extends object
    ? { [K in keyof T]: Full<T[K]> }
    : T;

export type Media = Schemas['BlockMedia'];
export type Call = Omit<Full<Schemas['BlockCall']>, 'diff' | 'input'> & {
  diff?: Hunk[];
  input?: unknown;
};
export type Block = Omit<Full<Schemas['Block']>, 'call' | 'truncated'> & {
  call?: Call;
  truncated?: Record<string, Schemas['Truncation']>;
};
export type Page = Omit<Full<Schemas['BlockPage']>, 'blocks'> & { blocks: Block[] };
export type Outline = Full<Schemas['Outline']>;

/** Fork is a turn that others stand beside. */
export interface Fork {
  messageId: string;
  ways: Way[]; // in the order they were written
}

/** Way is one of them, with what follows it. */
export interface Way {
  messageId: string;
  leaf: string;
  here: boolean;
  text: string;
  timestamp: string | undefined;
  turnCount: number;
}

/** forksOf are the places of a page where the conversation forks, by their messages. */
export function forksOf(page: Page): Map<string, Fork> {
  const forks = new Map<string, Fork>();
  for (const turn of page.turns) {
    if (!turn.siblings) continue;
    const ways = turn.siblings.turns.map((s) => ({
      messageId: s.id,
      leaf: s.leaf,
      here: s.id === turn.id,
      text: s.text ?? '',
      timestamp: s.timestamp,
      turnCount: s.turnCount,
    }));
    forks.set(turn.id, { messageId: turn.id, ways });
  }
  return forks;
}

/** wrong reports whether a block shows a failure or a denial. */
export function wrong(b: Block): boolean {
  return b.failed === true || b.call?.state === 'failed' || b.call?.state === 'denied';
}

/** changed is how many lines a call changed. */
export function changed(c: Call): number {
  return (c.added ?? 0) + (c.removed ?? 0);
}

/** blobText reads all of a text that was cut. */
export async function blobText(id: string, ref: string): Promise<string> {
  const answer = await send('GET', '/sessions/{id}/blobs/{ref}', { path: { id, ref } });
  return answer.text();
}

/** isOf reports whether a block shows a message or the result in it. */
export function isOf(b: Block, message: string | undefined): boolean {
  return !!message && (b.messageId === message || b.also?.includes(message) === true);
}
