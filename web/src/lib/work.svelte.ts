// What takes long runs on the server as a job, and goes on when nobody looks. Whoever
// started one follows it here: by events, and by asking where none come.

import {
  ask,
  get,
  offline,
  Problem,
  startJob,
  type Method,
  type OptionsOf,
  type PathOf,
  type Schemas,
} from '../api/client';
import { onEvent } from './world.svelte';

export type Job = Schemas['Job'];

const first = 100; // until the first question how far it is
const pace = 1000; // between later ones

export class Work<T> {
  /** job is how far it is, while it runs. */
  job = $state.raw<Job | undefined>();
  #left = false;
  #wake: () => void = () => undefined;

  /** run starts a request as a job and gives what came of it. */
  async run<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    options?: OptionsOf<M, P>,
  ): Promise<T> {
    return this.follow(await startJob(method, path, options));
  }

  /** resume follows a job of this kind that runs already, such as after a reload; undefined if
   * there is none. */
  async resume(kind: string): Promise<T | undefined> {
    const { jobs } = await get('/api/v1/jobs');
    const running = (jobs ?? []).find((j) => j.kind === kind && j.state === 'running');
    return running ? this.follow(running) : undefined;
  }

  /** follow waits until a job is over. */
  async follow(job: Job): Promise<T> {
    this.job = job;
    this.#left = false;
    const end = onEvent((e) => {
      if (e.type !== 'job') return;
      const now = e.data.job;
      if (now?.id !== job.id) return;
      this.job = now;
      if (now.state !== 'running') this.#wake();
    });
    try {
      return resultOf(await this.#last(job)) as T;
    } finally {
      end();
      this.job = undefined;
    }
  }

  /** cancel ends it: what it did stays done. */
  async cancel(): Promise<void> {
    const job = this.job?.id;
    if (job) await ask('DELETE', '/api/v1/jobs/{job}', { path: { job } });
  }

  /** leave stops following; the job goes on. */
  leave(): void {
    this.#left = true;
    this.#wake();
  }

  async #last(job: Job): Promise<Job> {
    for (let wait = first; ; wait = Math.min(pace, 2 * wait)) {
      await this.#pause(wait);
      if (this.#left) throw new Problem(-1, 'left', 'Nobody waits for it any more.', '');
      try {
        const now = await get('/api/v1/jobs/{job}', { path: { job: job.id } });
        this.job = now;
        if (now.state !== 'running') return now;
      } catch (err) {
        // A server that is away for a moment comes back with the job, or without.
        if (!(err instanceof Problem && err.status === offline)) throw err;
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((done) => {
      const timer = setTimeout(done, ms);
      this.#wake = () => (clearTimeout(timer), done());
    });
  }
}

/** resultOf is what came of a job that is over. */
function resultOf(job: Job): unknown {
  if (job.state === 'done') return job.result;
  throw new Problem(
    500,
    job.code ?? job.state,
    job.error ?? 'It was ended before it was done.',
    'What it did stays done, and is listed under Activity.',
  );
}
