// How high everything in a feed is, without its being drawn. A conversation is
// cut into pages of some turns. Of a page that was read the rows and their
// heights are known, measured or guessed; of the others only a guess.

export interface Row {
  key: string;
  guess: number; // px, until it is measured
}

interface Known {
  key: string;
  height: number;
  measured: boolean;
}

interface Page {
  rows: Known[] | undefined; // undefined: not read
  height: number;
}

export interface Spot {
  page: number;
  row: number; // -1: the page was not read
  top: number;
  height: number;
  key: string;
}

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
      for (const row of page.rows ?? []) this.#place.delete(row.key);
    }
    this.#good = Math.min(this.#good, count);
    const height = this.#average();
    while (this.#pages.length < count) this.#pages.push({ rows: undefined, height });
  }

  /** fill tells the rows of a page. Heights that were measured before are kept. */
  fill(at: number, rows: Row[]): void {
    const page = this.#pages[at];
    if (!page) return;
    const known = new Map(page.rows?.map((r) => [r.key, r]));
    for (const key of known.keys()) this.#place.delete(key);
    this.#uncount(page);
    page.rows = rows.map((r) => {
      this.#place.set(r.key, at);
      const old = known.get(r.key);
      return old?.measured ? old : { key: r.key, height: r.guess, measured: false };
    });
    page.height = page.rows.reduce((sum, r) => sum + r.height, 0);
    this.#readPages++;
    this.#readHeight += page.height;
    this.#good = Math.min(this.#good, at);
  }

  has(at: number): boolean {
    return this.#pages[at]?.rows !== undefined;
  }

  /** measure takes the height of a row, and tells whether that is news. */
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
    for (const spot of this.#walk(page)) if (spot.key === key) return spot;
    return undefined;
  }

  /** top is where a page begins. */
  top(page: number): number {
    return this.#topOf(page);
  }

  *#walk(from: number): Generator<Spot> {
    for (let p = from; p < this.#pages.length; p++) {
      const page = this.#pages[p] as Page;
      let top = this.#topOf(p);
      if (!page.rows) yield { page: p, row: -1, top, height: page.height, key: `page ${p}` };
      for (const [row, known] of (page.rows ?? []).entries()) {
        yield { page: p, row, top, height: known.height, key: known.key };
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

  #uncount(page: Page): void {
    if (!page.rows) return;
    this.#readPages--;
    this.#readHeight -= page.height;
  }

  #average(): number {
    return this.#readPages > 0 ? Math.round(this.#readHeight / this.#readPages) : this.#guess;
  }
}

/** longest is how high an element may be; browsers cut what is higher. */
export const longest = 30_000_000;

/** shift is how much of a space lies above what the scroll bar reaches. Near an end of the reach it
 * moves by a step, so that one can always scroll on. */
export function shift(top: number, total: number, now: number, limit = longest): number {
  if (total <= limit) return 0;
  const edge = limit / 10;
  const inside = top - now;
  const near = inside < edge || inside > limit - edge;
  const wanted = near ? top - limit / 2 : now;
  return Math.min(Math.max(0, Math.round(wanted)), total - limit);
}
