// How high everything in a feed is, without its being drawn. A conversation is
// cut into pages of some turns. Of a page that was read the rows and their
// heights are known, measured or guessed; of the others only a guess.

export interface Row {
  key: string;
  guess: number; // px, until it is measured
  /** also are other keys that lead here: of what is part of the row, or hidden before it. */
  also?: string[];
}

interface Known {
  key: string;
  also?: string[] | undefined;
  height: number;
  measured: boolean;
}

interface Page {
  rows: Known[] | undefined; // undefined: not read
  height: number;
}

export interface Spot extends Known {
  page: number;
  row: number; // -1: the page was not read
  top: number;
}

/** pageKey is that of a page that was not read. */
export const pageKey = (page: number): string => `page ${page}`;

const unread = (page: number, top: number, height: number): Spot => ({
  page,
  row: -1,
  top,
  height,
  measured: false,
  key: pageKey(page),
});

export class Space {
  #pages: Page[] = [];
  #tops: number[] = [0]; // of every page, and the end; good up to #good
  #good = 0;
  #place = new Map<string, number>(); // key → page
  #guess: number;
  #readPages = 0;
  #readHeight = 0;

  constructor(count: number, guess = 1200) {
    this.#guess = guess;
    this.resize(count);
  }

  get count(): number {
    return this.#pages.length;
  }

  get total(): number {
    return this.#topOf(this.#pages.length);
  }

  /** resize changes the number of pages at the end. */
  resize(count: number): void {
    while (this.#pages.length > count) {
      const page = this.#pages.pop() as Page;
      this.#uncount(page);
      this.#unplace(page);
    }
    this.#good = Math.min(this.#good, count);
    const height = this.#average();
    while (this.#pages.length < count) this.#pages.push({ rows: undefined, height });
  }

  /** fill sets the rows of a page. Heights that were measured before are kept. */
  fill(at: number, rows: Row[]): void {
    const page = this.#pages[at];
    if (!page) return;
    const known = new Map(page.rows?.map((r) => [r.key, r]));
    this.#unplace(page);
    this.#uncount(page);
    page.rows = rows.map((r) => {
      for (const key of [r.key, ...(r.also ?? [])]) this.#place.set(key, at);
      const old = known.get(r.key);
      if (old?.measured) return { ...old, also: r.also };
      return { key: r.key, also: r.also, height: r.guess, measured: false };
    });
    page.height = page.rows.reduce((sum, r) => sum + r.height, 0);
    this.#readPages++;
    this.#readHeight += page.height;
    this.#good = Math.min(this.#good, at);
  }

  has(at: number): boolean {
    return this.#pages[at]?.rows !== undefined;
  }

  /** measure stores the height of a row and reports whether it changed. */
  measure(key: string, height: number): boolean {
    const at = this.#place.get(key);
    const page = at === undefined ? undefined : this.#pages[at];
    const row = page?.rows?.find((r) => r.key === key);
    if (!page || !row || (row.measured && row.height === height)) return false;
    page.height += height - row.height;
    this.#readHeight += height - row.height;
    row.height = height;
    row.measured = true;
    this.#good = Math.min(this.#good, at as number);
    return true;
  }

  /** forget makes guesses of all heights: the width changed, or what is folded. */
  forget(): void {
    for (const page of this.#pages) for (const row of page.rows ?? []) row.measured = false;
  }

  /** at is what lies at a height. */
  at(y: number): Spot | undefined {
    if (this.#pages.length === 0) return undefined;
    let low = 0;
    let high = this.#pages.length - 1;
    this.#topOf(this.#pages.length);
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if ((this.#tops[mid] as number) <= y) low = mid;
      else high = mid - 1;
    }
    let last: Spot | undefined;
    for (const spot of this.#walk(low)) {
      if (last && spot.top > y) break;
      last = spot;
    }
    return last;
  }

  /** between is everything that touches a stretch. */
  between(from: number, to: number): Spot[] {
    const first = this.at(Math.max(0, from));
    if (!first) return [];
    const spots: Spot[] = [];
    for (const spot of this.#walk(first.page)) {
      if (spot.top + spot.height <= from && spot.top < first.top) continue;
      if (spot.top >= to) break;
      spots.push(spot);
    }
    return spots;
  }

  /** find is where a row lies. */
  find(key: string): Spot | undefined {
    const page = this.#place.get(key);
    if (page === undefined) return undefined;
    const rows = this.#pages[page]?.rows ?? [];
    const row = rows.findIndex((r) => r.key === key || r.also?.includes(key));
    const found = rows[row];
    if (!found) return undefined;
    let top = this.#topOf(page);
    for (let i = 0; i < row; i++) top += (rows[i] as Known).height;
    return { ...found, page, row, top };
  }

  /** page is where a page lies, and how high it is. */
  page(at: number): { top: number; height: number } {
    return { top: this.#topOf(at), height: this.#pages[at]?.height ?? 0 };
  }

  *#walk(from: number): Generator<Spot> {
    for (let p = from; p < this.#pages.length; p++) {
      const page = this.#pages[p] as Page;
      let top = this.#topOf(p);
      if (!page.rows) yield unread(p, top, page.height);
      for (const [row, known] of (page.rows ?? []).entries()) {
        yield { ...known, page: p, row, top };
        top += known.height;
      }
    }
  }

  #topOf(page: number): number {
    for (; this.#good < page; this.#good++) {
      const at = this.#pages[this.#good] as Page;
      this.#tops[this.#good + 1] = (this.#tops[this.#good] as number) + at.height;
    }
    return this.#tops[page] as number;
  }

  #unplace(page: Page): void {
    for (const row of page.rows ?? [])
      for (const key of [row.key, ...(row.also ?? [])]) this.#place.delete(key);
  }

  #uncount(page: Page): void {
    if (!page.rows) return;
    this.#readPages--;
    this.#readHeight -= page.height;
  }

  #average(): number {
    return this.#readPages > 0 ? Math.round(this.#readHeight / this.#readPages) : this.#guess;
  }
}
