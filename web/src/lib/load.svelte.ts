// What a page reads from the server. A new request aborts the one before, and the old
// value stays until the new one arrives.

import { Problem } from '../api/client';

export class Load<T> {
  value = $state.raw<T | undefined>();
  problem = $state.raw<Problem | undefined>();
  loading = $state(true);
  #running: AbortController | undefined;

  /** run reads a value and aborts the reading before. */
  async run(read: (signal: AbortSignal) => Promise<T>): Promise<void> {
    this.#running?.abort();
    const mine = new AbortController();
    this.#running = mine;
    this.loading = true;
    try {
      const value = await read(mine.signal);
      if (mine.signal.aborted) return;
      this.value = value;
      this.problem = undefined;
    } catch (err) {
      if (mine.signal.aborted) return;
      this.problem =
        err instanceof Problem
          ? err
          : new Problem(-1, 'broken', String(err), 'This is a bug in sesskeep.');
    }
    this.loading = false;
  }

  stop(): void {
    this.#running?.abort();
  }
}
