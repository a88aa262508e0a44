/** Debounce turns many calls into one run. */
export class Debounce {
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** soon runs fn in ms. Calls until then do nothing, so that a steady stream of calls still runs
   * it every ms. */
  soon(fn: () => void, ms = this.#ms): void {
    this.#timer ??= setTimeout(() => this.#run(fn), ms);
  }

  /** idle runs fn once no call came for ms: each call replaces the one before. */
  idle(fn: () => void, ms = this.#ms): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#run(fn), ms);
  }

  /** cancel drops a run that has not happened yet. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #run(fn: () => void): void {
    this.#timer = undefined;
    fn();
  }
}
