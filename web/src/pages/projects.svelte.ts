// The page of all projects: what each used in the last thirty days, and what its
// sessions are doing.

import { get, type Reply, type Schemas } from '../api/client';
import { Load } from '../lib/load.svelte';
import { here } from '../lib/router.svelte';
import { stateOf, words, type Word } from '../lib/session';
import { arranged } from '../lists/projects';

type Project = Schemas['PricedProject'];
type UsageRow = Schemas['UsageRow'];

const usageDays = 30;

/** tokensOf is the number of all tokens of a row. */
export function tokensOf({ usage }: UsageRow): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
}

export class ProjectsPage {
  readonly projects = new Load<Reply<'/api/v1/projects'>>();
  readonly #usage = new Load<Reply<'/api/v1/usage'>>();
  readonly #live = new Load<Reply<'/api/v1/sessions'>>();
  /** at is the number of the row that keys act on. */
  at = $state(0);

  readonly filter = $derived(here().query.get('q') ?? '');
  readonly rows = $derived(arranged(this.projects.value?.projects ?? [], this.filter));
  readonly #used = $derived(
    new Map((this.#usage.value?.rows ?? []).map((r) => [r.projectPath ?? r.group, r])),
  );

  /** read reads the projects and their states, which change often. */
  read(): void {
    void this.projects.run((signal) => get('/api/v1/projects', { signal }));
    const query = { state: 'working,needs you,your turn,unclean', limit: 500 };
    void this.#live.run((signal) => get('/api/v1/sessions', { query, signal }));
  }

  /** readUsage reads what they used. */
  readUsage(): void {
    const since = new Date(Date.now() - usageDays * 86_400_000).toISOString();
    const query = { by: 'project', since };
    void this.#usage.run((signal) => get('/api/v1/usage', { query, signal }));
  }

  /** usageKnown says that what is not in the usage was not used. */
  get usageKnown(): boolean {
    return this.#usage.value !== undefined;
  }

  usageOf(p: Project): UsageRow | undefined {
    return this.#used.get(p.path);
  }

  /** stateOf is the most urgent state of a project's sessions. */
  stateOf(p: Project): Word | undefined {
    const sessions = this.#live.value?.sessions ?? [];
    const states = sessions.filter((s) => s.project === p.id).map(stateOf);
    return words.find((w) => states.includes(w));
  }

  step(by: number): void {
    this.at = Math.max(0, Math.min(this.rows.length - 1, this.at + by));
  }

  close(): void {
    for (const load of [this.projects, this.#usage, this.#live]) load.stop();
  }
}
