// What a page reads from the server: one request at a time for what the address
// asks, the last one wins, and what is shown stays while the next one comes.

import { Problem } from '../api/client';

export class Load<T> {
  value = $state.raw<T | undefined>();
  problem = $state.raw<Problem | undefined>();
  loading = $state(true);
  #running: AbortController | undefined;

  /** run asks for something, and forgets what it asked before. */
  async run(ask: (signal: AbortSignal) => Promise<T>): Promise<void> {
    this.#running?.abort();
    const mine = new AbortController();
    this.#running = mine;
    this.loading = true;
    try {
      const value = await ask(mine.signal);
      if (mine.signal.aborted) return;
      this.value = value;
      this.problem = undefined;
    } catch (err) {
      if (mine.signal.aborted) return;
      this.problem =
        err instanceof Problem ? err : new Problem(-1, 'broken', String(err), 'This is a defect.');
    }
    this.loading = false;
  }

  stop(): void {
    this.#running?.abort();
  }
}
