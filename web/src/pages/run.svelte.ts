// The page of one run: its state, what was said, what is being written, and what
// the user sends to it.

import { ask, get, type Schemas } from '../api/client';
import { sessionOf, type Event } from '../api/events';
import { attempt } from '../lib/attempt';
import { Debounce } from '../lib/debounce';
import { Load } from '../lib/load.svelte';
import { go } from '../lib/router.svelte';
import { shown, type Block } from '../live/wall';
import { Output } from '../runs/output.svelte';

const maxTurns = 60;

export class RunPage {
  readonly load = new Load<Schemas['RunShown']>();
  readonly blocks = new Load<Block[]>();
  readonly output = new Output();
  readonly #reading = new Debounce(250);
  readonly #id: () => string;

  constructor(id: () => string) {
    this.#id = id;
  }

  /** open follows the run, and returns a function that stops it. */
  open(): () => void {
    const end = new AbortController();
    void this.read().then(() => {
      const run = this.load.value;
      if (!run || end.signal.aborted) return;
      void this.output.follow(run.id, run.logSize, end.signal, () => this.readSoon());
    });
    return () => {
      end.abort();
      this.load.stop();
      this.blocks.stop();
      this.#reading.cancel();
    };
  }

  async read(): Promise<void> {
    await this.load.run((signal) =>
      get('/api/v1/runs/{run}', { path: { run: this.#id() }, signal }),
    );
    const id = this.load.value?.sessionId;
    if (!id) return; // it has not started yet
    await this.blocks.run(async (signal) => {
      const options = { path: { id }, query: { before: maxTurns }, signal };
      return shown((await get('/api/v1/sessions/{id}/blocks', options)).blocks ?? []);
    });
  }

  readSoon(): void {
    this.#reading.soon(() => void this.read());
  }

  /** receive reads again after an event about the run or its session. */
  receive(e: Event): void {
    const mine =
      e.type === 'reset' ||
      (e.type === 'run' && e.data.id === this.#id()) ||
      sessionOf(e) === this.load.value?.sessionId;
    if (mine) this.readSoon();
  }

  async act(what: 'interrupt' | 'stop'): Promise<void> {
    const path = { run: this.#id() };
    await attempt(() => ask('POST', `/api/v1/runs/{run}/${what}`, { path }));
    this.readSoon();
  }

  /** send gives the run a message, and reports whether it got it. */
  async send(prompt: string): Promise<boolean> {
    const body = { prompt, messageId: crypto.randomUUID() };
    const path = { run: this.#id() };
    const sent = await attempt(() => ask('POST', '/api/v1/runs/{run}/messages', { path, body }));
    this.readSoon();
    return sent !== undefined;
  }

  /** resume continues the session of a run that has ended in another run. */
  async resume(prompt: string): Promise<boolean> {
    const { sessionId: resume, permissionMode, role, purpose } = this.load.value ?? {};
    const body = { resume, prompt, permissionMode, role, purpose };
    const run = await attempt(() => ask('POST', '/api/v1/runs', { body }));
    if (run) go(`/runs/${run.id}`);
    return run !== undefined;
  }
}
