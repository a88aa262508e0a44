// Long requests run on the server as jobs, which continue when the page is closed. Work
// follows one, by its events and by polling.

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

const firstPoll = 100; // ms
const maxPoll = 1000; // ms

export class Work<T> {
  /** job is the job while it runs, with its progress. */
  job = $state.raw<Job | undefined>();
  #left = false;
  #wake: () => void = () => undefined;

  /** run starts a request as a job and returns its result. */
  async run<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    options?: OptionsOf<M, P>,
  ): Promise<T> {
    return this.follow(await startJob(method, path, options));
  }

  /** resume follows a job of this kind that is already running, such as after a reload. It returns
   * undefined if there is none. */
  async resume(kind: string): Promise<T | undefined> {
    const { jobs } = await get('/api/v1/jobs');
    const running = (jobs ?? []).find((j) => j.kind === kind && j.state === 'running');
    return running ? this.follow(running) : undefined;
  }

  /** follow waits until a job has ended. */
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
      return resultOf(await this.#untilEnd(job)) as T;
    } finally {
      end();
      this.job = undefined;
    }
  }

  /** cancel stops the job; what it did is not undone. */
  async cancel(): Promise<void> {
    const job = this.job?.id;
    if (job) await ask('DELETE', '/api/v1/jobs/{job}', { path: { job } });
  }

  /** leave stops following the job, which continues. */
  leave(): void {
    this.#left = true;
    this.#wake();
  }

  async #untilEnd(job: Job): Promise<Job> {
    for (let wait = firstPoll; ; wait = Math.min(maxPoll, 2 * wait)) {
      await this.#pause(wait);
      if (this.#left) throw new Problem(-1, 'left', 'The page no longer follows this job.', '');
      try {
        const now = await get('/api/v1/jobs/{job}', { path: { job: job.id } });
        this.job = now;
        if (now.state !== 'running') return now;
      } catch (err) {
        // A server that restarts comes back with the job, or without.
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

/** resultOf is the result of a job that has ended. */
function resultOf(job: Job): unknown {
  if (job.state === 'done') return job.result;
  throw new Problem(
    500,
    job.code ?? job.state,
    job.error ?? 'The job was cancelled before it finished.',
    'Its changes so far are listed under Activity.',
  );
}
