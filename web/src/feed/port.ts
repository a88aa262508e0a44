// Which stretch of a space is on the screen. What the reader looks at is the
// anchor: a row, and how far below the top of the screen it stands. When heights
// become known, or rows come and go, the anchor stays and so does the scroll bar:
// the difference goes into base, which is how much of the space lies above the
// reach of the scroll bar. The scroll bar itself is moved in three cases alone:
// somebody asks for a place, the end is followed, or the reach comes to its end.

import { pageKey, type Space, type Spot } from './space';

/** longest is how high what is scrolled may be; browsers cut what is higher. */
export const longest = 15_000_000;
/** over is how many px are drawn above and below the screen. */
export const over = 700;
const edge = 1500; // px of the reach that are always left, where there is something to reach
const near = 80; // px from the end that count as the end

interface Anchor {
  key: string;
  page: number;
  y: number; // of its top, below that of the screen
  height: number;
}

/** Layout is what has to be drawn. */
export interface Layout {
  spots: Spot[];
  above: number; // px of room before them
  below: number; // and after them
}

export class Port {
  space: Space;
  tall = 0; // px of the screen
  scroll = 0; // where the scroll bar is, or has to be
  pinned = false; // the end is followed
  #base = 0;
  #anchor: Anchor | undefined;

  constructor(space: Space) {
    this.space = space;
  }

  /** top is what is at the top of the screen. */
  get top(): number {
    return this.scroll + this.#base;
  }

  /** first is the row that is held. */
  get first(): Spot | undefined {
    return this.#anchor && this.space.find(this.#anchor.key);
  }

  /** move takes where the reader scrolled to. */
  move(scroll: number): void {
    const by = scroll - this.scroll;
    const range = Math.max(1, this.#reach() - this.tall);
    this.scroll = scroll;
    if (Math.abs(by) > this.tall + over) {
      // Nothing of what was drawn is left: the scroll bar says which part of the whole is wanted.
      this.#base = Math.min(1, scroll / range) * this.#last() - scroll;
    }
    const left = this.#last() - this.top;
    if (by < -1) this.pinned = false;
    if (left <= 1 || (by > 0 && left <= near)) this.pinned = true;
    this.#pick();
  }

  /** to brings a row to the screen, y px below its top. */
  to(key: string, y: number): boolean {
    const spot = this.space.find(key);
    if (!spot) return false;
    this.pinned = false;
    this.#place(spot.top - y);
    this.#hold(spot);
    return true;
  }

  /** by moves what is on the screen. */
  by(px: number): void {
    this.pinned = false;
    this.#place(this.top + px);
    this.#pick();
  }

  toTop(): void {
    this.pinned = false;
    this.#place(0);
    this.#pick();
  }

  toEnd(): void {
    this.pinned = true;
    this.#place(this.#last());
    this.#pick();
  }

  /** hold puts the anchor where it was, or the end to the end, after heights or rows changed. */
  hold(): void {
    if (this.pinned) {
      this.scroll = Math.max(0, Math.round(this.#last() - this.#base));
      this.#base = this.#last() - this.scroll;
      this.#pick();
      return;
    }
    const at = this.#found();
    if (at !== undefined) this.#base = at - this.scroll;
    // Where nothing is left below, the end of the space is the end of the screen.
    const past = this.top - this.#last();
    if (past > 0.5) {
      const back = Math.min(this.scroll, Math.round(past));
      this.scroll -= back;
      if (past - back > 0.5) this.#base = this.#last() - this.scroll;
    }
    this.#repick();
  }

  /** layout is what is drawn now. */
  layout(): Layout {
    const spots = this.space.between(this.top - over, this.top + this.tall + over);
    const from = spots[0]?.top ?? 0;
    const end = spots.at(-1);
    const to = end ? end.top + end.height : 0;
    if (this.#due(from, to)) this.#place(this.top);
    const room = longest - (to - this.#base);
    return {
      spots,
      above: Math.max(0, from - this.#base),
      below: Math.max(0, Math.min(this.space.total - to, room)),
    };
  }

  /** shown are the rows on the screen. */
  shown(): Spot[] {
    const spots = this.space.between(this.top, this.top + this.tall);
    return spots.filter((s) => s.top + s.height > this.top + 1 && s.top < this.top + this.tall - 1);
  }

  /** due reports whether the range of the scroll bar differs from the height of the space. */
  #due(from: number, to: number): boolean {
    const above = from - this.#base;
    if (above < Math.min(edge, from) - 0.5) return true;
    if (from === 0 && above > 0.5) return true;
    return longest - (to - this.#base) < Math.min(edge, this.space.total - to);
  }

  /** place puts a height to the top of the screen, and the scroll bar where it belongs. */
  #place(top: number): void {
    const at = Math.min(Math.max(0, top), this.#last());
    const total = this.space.total;
    const half = longest / 2;
    if (total <= longest || at <= half) this.scroll = Math.round(at);
    else this.scroll = Math.round(Math.max(half, longest - (total - at)));
    this.#base = at - this.scroll;
  }

  /** found is what has to be at the top of the screen for the anchor to stay. */
  #found(): number | undefined {
    const a = this.#anchor;
    if (!a) return undefined;
    const spot = this.space.find(a.key);
    if (spot) return spot.top - a.y;
    if (a.page >= this.space.count) return undefined;
    // What was a page that was not read, or a row that is gone: the same part of the page.
    const page = this.space.page(a.page);
    const share = a.key === pageKey(a.page) && a.y < 0 ? -a.y / a.height : 0;
    return page.top + share * page.height - Math.max(0, a.y);
  }

  /** pick takes as anchor the first row that is wholly on the screen, else one that is cut. One
   * whose height is not known yet would move what is below it. */
  #pick(): void {
    const spots = this.space.between(this.top, this.top + this.tall);
    const known = spots.filter((s) => s.measured);
    const best = known.find((s) => s.top >= this.top - 0.5) ?? known[0] ?? spots[0];
    this.#anchor = undefined;
    if (best) this.#hold(best);
  }

  /** repick does so unless what is held was asked for and is not drawn yet. */
  #repick(): void {
    const held = this.first;
    if (!held || held.measured) this.#pick();
    else this.#hold(held);
  }

  #hold(spot: Spot): void {
    const { key, page, height } = spot;
    this.#anchor = { key, page, height, y: spot.top - this.top };
  }

  /** last is the greatest height at the top of the screen. */
  #last(): number {
    return Math.max(0, this.space.total - this.tall);
  }

  #reach(): number {
    return Math.min(this.space.total - this.#base, longest);
  }
}
