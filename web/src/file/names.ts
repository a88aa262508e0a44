// Files that sessions changed, found by a part of their name.

import { get } from '../api/client';

export interface NamedFile {
  path: string;
  changedAt: string;
}

const recent = 500; // changes whose files are found by any part of their name

export class FileNames {
  #recent: Promise<NamedFile[]> | undefined;

  /** find returns the files whose path has a text, last changed first. A file that was not changed
   * lately is found by the end of its path. */
  async find(text: string, signal: AbortSignal): Promise<NamedFile[]> {
    if (text === '' || /\s/.test(text)) return [];
    this.#recent ??= changed({ limit: recent });
    const words = text.toLowerCase();
    const found = (await this.#recent).filter((f) => f.path.toLowerCase().includes(words));
    if (found.length > 0 || !text.includes('.')) return found;
    return changed({ path: text, limit: recent }, signal);
  }
}

/** changed lists files once each. Without an answer there is nothing to offer. */
async function changed(
  query: Record<string, string | number>,
  signal?: AbortSignal,
): Promise<NamedFile[]> {
  const options = signal ? { query, signal } : { query };
  const log = await get('/api/v1/files/log', options).catch(() => undefined);
  const files = new Map<string, NamedFile>();
  for (const c of log?.changes ?? []) {
    if (!files.has(c.path)) files.set(c.path, { path: c.path, changedAt: c.timestamp ?? '' });
  }
  return [...files.values()];
}
