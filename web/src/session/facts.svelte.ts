// What the inspector shows about a session beside its conversation. Each part is read
// when it is first shown.

import { get, type Reply } from '../api/client';
import { Load } from '../lib/load.svelte';

export class Facts {
  branches = new Load<Reply<'/api/v1/sessions/{id}/conversations'>>();
  agents = new Load<Reply<'/api/v1/sessions/{id}/agents'>>();
  files = new Load<Reply<'/api/v1/sessions/{id}/files'>>();
  usage = new Load<Reply<'/api/v1/sessions/{id}/usage'>>();
  #id: string;
  #asked = new Set<string>();

  constructor(id: string) {
    this.#id = id;
  }

  /** need reads what a tab shows, once. */
  async need(tab: string): Promise<void> {
    if (this.#asked.has(tab)) return;
    this.#asked.add(tab);
    const path = { id: this.#id };
    if (tab === 'branches') {
      await this.branches.run((signal) =>
        get('/api/v1/sessions/{id}/conversations', { path, signal }),
      );
    } else if (tab === 'agents') {
      await this.agents.run((signal) => get('/api/v1/sessions/{id}/agents', { path, signal }));
    } else if (tab === 'files') {
      await this.files.run((signal) => get('/api/v1/sessions/{id}/files', { path, signal }));
    } else if (tab === 'usage') {
      await this.usage.run((signal) => get('/api/v1/sessions/{id}/usage', { path, signal }));
    }
  }

  /** old marks everything to be read again when it is next shown. */
  old(): void {
    this.#asked.clear();
  }

  problem(tab: string): string {
    const load = {
      branches: this.branches,
      agents: this.agents,
      files: this.files,
      usage: this.usage,
    }[tab];
    return load?.problem?.message ?? '';
  }
}
