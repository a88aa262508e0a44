// A block is one thing a reader sees, as the server tells it.

import type { Schemas } from '../api/client';
import type { Hunk } from './diff';

export interface Media {
  type?: string;
  fileSize?: number;
  url?: string;
  ref?: string; // for /blobs
  width?: number;
  height?: number;
}

export type Call = Omit<Schemas['ViewCall'], 'diff'> & {
  durationMs?: number;
  diff?: Hunk[];
  images?: Media[];
};

export type Block = Omit<Schemas['ViewPart'], 'call' | 'media'> & {
  durationMs?: number;
  call?: Call;
  media?: Media;
};

/** Full is an answer whose lists are lists: the document allows null, the server never sends it. */
export type Full<T> = [NonNullable<T>] extends [(infer U)[]]
  ? Full<U>[]
  : T extends object
    ? { [K in keyof T]: Full<T[K]> }
    : T;

export type Outline = Full<Schemas['Outline']>;
export type Fork = Full<Schemas['Fork']>;
export type Way = Schemas['Way'];

/** wrong tells whether a block is about something that did not go well. */
export function wrong(b: Block): boolean {
  return b.failed === true || b.call?.state === 'failed' || b.call?.state === 'denied';
}

/** changed is how many lines a call changed. */
export function changed(c: Call): number {
  return (c.added ?? 0) + (c.removed ?? 0);
}
