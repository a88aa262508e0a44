// The raw lines of a transcript, around the line of the address.

import { get, Problem, type Schemas } from '../api/client';

export type Line = Schemas['RawLine'];

const pageSize = 40;
const maxLines = 10 * pageSize; // that stay on the page
const scanSize = 500;
const maxScans = 40;
const before = 5; // lines shown above the one that was asked for

/** textOf is a line as it was written, indented or not. */
export function textOf(l: Line, indent = 0): string {
  return l.raw === undefined ? (l.text ?? '') : JSON.stringify(l.raw, null, indent);
}

/** kindOf is the type that a line says it has. */
export function kindOf(l: Line): string {
  const raw = l.raw as Record<string, unknown> | undefined;
  return typeof raw?.['type'] === 'string' ? raw['type'] : 'not JSON';
}

export class RawPage {
  lines = $state.raw<Line[]>([]);
  file = $state('');
  problem = $state.raw<Problem | undefined>();
  ready = $state(false);
  /** next is the line that follows those that are shown. */
  next = $state<number | undefined>();
  readonly #id: () => string;

  constructor(id: () => string) {
    this.#id = id;
  }

  /** earlier is the line that shows those before; undefined at the start of the file. */
  get earlier(): number | undefined {
    const first = this.lines[0]?.line ?? 1;
    return first > 1 ? Math.max(1, first - pageSize + before) : undefined;
  }

  /** open shows a line and those around it. */
  async open(line: number): Promise<void> {
    await this.#read(Math.max(1, line - before), false);
  }

  /** more appends the lines that follow. */
  async more(): Promise<void> {
    if (this.next) await this.#read(this.next, true);
  }

  async #read(from: number, append: boolean): Promise<void> {
    try {
      const page = await this.#page(from, pageSize);
      const lines = page.lines ?? [];
      this.lines = append ? [...this.lines, ...lines].slice(-maxLines) : lines;
      this.file = page.file;
      this.next = page.nextLine;
      this.problem = undefined;
    } catch (err) {
      this.problem = err instanceof Problem ? err : undefined;
    }
    this.ready = true;
  }

  /** findDamaged is the first line that is not JSON. */
  async findDamaged(): Promise<number | undefined> {
    let from: number | undefined = 1;
    for (let scans = 0; from && scans < maxScans; scans++) {
      const page: Schemas['RawPage'] = await this.#page(from, scanSize);
      const damaged = page.lines?.find((l) => l.raw === undefined);
      if (damaged) return damaged.line;
      from = page.nextLine;
    }
    return undefined;
  }

  #page(line: number, limit: number): Promise<Schemas['RawPage']> {
    return get('/api/v1/sessions/{id}/raw', { path: { id: this.#id() }, query: { line, limit } });
  }
}
