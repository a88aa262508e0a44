import { expect, test } from 'vitest';
import { longest, Port } from './port';
import { Space } from './space';

const chance = (seed: number) => (n: number) =>
  Math.floor(((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648) * n);

/** Screen does what a browser does with what the port asks for. Rows have heights of their own that
 * the port learns only when they are drawn. */
class Screen {
  readonly port: Port;
  readonly heights = new Map<string, number>();
  top = 0; // of the scroll bar
  #layout = { spots: [] as { key: string; row: number; height: number }[], above: 0, below: 0 };
  readonly #random: (n: number) => number;

  constructor(pages: number, seed: number, guess = 900) {
    this.#random = chance(seed);
    this.port = new Port(new Space(pages, guess));
    this.port.tall = 800;
    this.settle();
  }

  #height(s: { key: string; row: number; height: number }): number {
    return s.row < 0 ? s.height : (this.heights.get(s.key) as number);
  }

  get whole(): number {
    const drawn = this.#layout.spots.reduce((sum, s) => sum + this.#height(s), 0);
    return this.#layout.above + drawn + this.#layout.below;
  }

  /** settle draws and measures until nothing is new. */
  settle(): void {
    for (let i = 0; ; i++) {
      expect(i).toBeLessThan(100);
      this.#layout = this.port.layout();
      let news = false;
      for (const s of this.#layout.spots)
        if (s.row >= 0) news = this.port.space.measure(s.key, this.#height(s)) || news;
      if (!news) break;
      this.port.hold();
    }
    this.top = Math.max(0, Math.min(this.port.scroll, this.whole - this.port.tall));
    expect(Math.abs(this.top - this.port.scroll)).toBeLessThanOrEqual(1);
    this.covered();
  }

  /** covered fails where there is nothing on the screen. */
  covered(): void {
    const { above, spots } = this.#layout;
    expect(above - this.top).toBeLessThanOrEqual(1);
    const drawn = spots.reduce((sum, s) => sum + this.#height(s), 0);
    const need = Math.min(this.port.space.total, this.port.tall);
    expect(above + drawn - this.top).toBeGreaterThanOrEqual(need - 1);
    expect(spots.length).toBeLessThan(400);
  }

  /** rows are those wholly on the screen, with where they stand. */
  rows(): Map<string, number> {
    const found = new Map<string, number>();
    let y = this.#layout.above - this.top;
    for (const s of this.#layout.spots) {
      if (s.row >= 0 && y >= 0 && y + this.#height(s) <= this.port.tall) found.set(s.key, y);
      y += this.#height(s);
    }
    return found;
  }

  /** read fills the pages that are near, or one of any. */
  read(page: number, most = 14): void {
    if (page >= this.port.space.count) return;
    const rows = Array.from({ length: 1 + this.#random(most) }, (_, i) => {
      const key = `${page}.${i}`;
      const kind = this.#random(40);
      const height = kind === 0 ? 4000 + this.#random(9000) : 24 + this.#random(300);
      if (!this.heights.has(key)) this.heights.set(key, height + this.#random(64) / 64);
      return { key, guess: 20 + this.#random(200) };
    });
    if (!this.port.space.has(page)) this.port.space.fill(page, rows);
    this.port.hold();
    this.settle();
  }

  readNear(): void {
    for (let i = 0; i < 50; i++) {
      const missing = this.port.layout().spots.find((s) => s.row < 0);
      if (!missing) return;
      this.read(missing.page);
    }
  }

  scroll(to: number): number {
    const before = this.top;
    this.top = Math.round(Math.max(0, Math.min(to, this.whole - this.port.tall)));
    this.port.move(this.top);
    const by = this.top - before;
    this.settle();
    return by;
  }

  change(key: string, height: number): void {
    this.heights.set(key, height);
    this.port.space.measure(key, height);
    this.port.hold();
    this.settle();
  }
}

/** stays asserts that the first row of before has not moved, unless the end of the conversation is on the screen. */
function stays(screen: Screen, before: Map<string, number>, but?: string): void {
  const [first] = before;
  if (!first || first[0] === but) return;
  const now = screen.rows().get(first[0]);
  const p = screen.port;
  if (p.space.total - p.top <= p.tall + 1 || p.top <= 1) return;
  expect(Math.abs((now ?? NaN) - first[1])).toBeLessThanOrEqual(1);
}

test.each(Array.from({ length: 20 }, (_, i) => i))('what is read stays, chance %i', (seed) => {
  const random = chance(seed + 1);
  const screen = new Screen(2000, seed, 200 + random(3000));
  screen.port.toEnd();
  screen.settle();
  screen.readNear();
  for (let step = 0; step < 200; step++) {
    const before = screen.rows();
    const was = screen.top;
    const keys = [...before.keys()];
    switch (random(8)) {
      case 0: {
        screen.scroll(random(Math.max(1, screen.whole)));
        expect(screen.port.layout().spots.length).toBeGreaterThan(0);
        break;
      }
      case 1: // something before, on or after the screen is read
        screen.read(Math.max(0, (screen.port.first?.page ?? 0) + random(7) - 3));
        stays(screen, before);
        break;
      case 2: {
        const key = keys[random(keys.length)];
        if (key) screen.change(key, 10 + random(900));
        if (!screen.port.pinned) stays(screen, before, keys[0] === key ? key : undefined);
        break;
      }
      case 3: // something is written
        screen.port.space.resize(screen.port.space.count + 1);
        screen.port.hold();
        screen.settle();
        if (!screen.port.pinned) expect(screen.top).toBe(was);
        screen.readNear();
        if (!screen.port.pinned) stays(screen, before);
        break;
      case 4:
        screen.port.tall = 300 + random(900);
        screen.port.hold();
        screen.settle();
        break;
      default: {
        const by = screen.scroll(screen.top + (random(2) ? 1 : -1) * random(700));
        const first = [...screen.rows()].find(([key]) => before.has(key));
        const p = screen.port;
        if (first && p.top > 1500 && !p.pinned)
          expect(first[1] - (before.get(first[0]) as number)).toBeCloseTo(-by, 0);
      }
    }
    screen.readNear();
  }
});

test('both ends are reached, and a row that is asked for comes', () => {
  for (let seed = 0; seed < 8; seed++) {
    const random = chance(seed);
    const screen = new Screen(500, seed, 100 + random(4000));
    for (let i = 0; i < 10; i++) {
      screen.scroll(0);
      screen.readNear();
      for (let n = 0; n < 60 && screen.top > 0; n++) {
        screen.scroll(screen.top - 600);
        screen.readNear();
      }
      expect(screen.port.top).toBeLessThan(1);
      screen.scroll(1e12);
      screen.readNear();
      expect(screen.port.pinned).toBe(true);
      expect(screen.port.space.total - screen.port.top).toBeCloseTo(screen.port.tall, 0);
      const page = 2 + random(490);
      screen.read(page);
      expect(screen.port.to(`${page}.0`, 40)).toBe(true);
      screen.port.hold(); // before anything was drawn
      screen.settle();
      screen.readNear();
      const all = screen.port.shown().find((s) => s.key === `${page}.0`);
      expect((all?.top ?? NaN) - screen.port.top).toBeCloseTo(40, 0);
    }
  }
});

test('what is higher than a browser can draw is reached all the same', () => {
  const screen = new Screen(8000, 3, 20_000);
  expect(screen.port.space.total).toBeGreaterThan(5 * longest);
  expect(screen.whole).toBeLessThanOrEqual(longest);
  screen.port.toEnd();
  screen.settle();
  screen.readNear();
  expect(screen.port.space.total - screen.port.top).toBeCloseTo(screen.port.tall, 0);
  for (let i = 0; i < 800; i++) {
    const [first] = screen.rows();
    const by = screen.scroll(screen.top - 300);
    screen.readNear();
    expect(screen.whole).toBeLessThanOrEqual(longest + 1);
    if (!first) continue;
    const now = (screen.port.space.find(first[0])?.top ?? NaN) - screen.port.top;
    expect(Math.abs(now - first[1] + by)).toBeLessThanOrEqual(1);
  }
  const share = (n: number): number => {
    screen.scroll(((screen.whole - screen.port.tall) * n) / 100);
    screen.readNear();
    return (screen.port.top / screen.port.space.total) * 100;
  };
  for (const n of [0, 10, 35, 80, 99]) expect(Math.abs(share(n) - n)).toBeLessThan(1);
  for (let i = 0; i < 50; i++) {
    screen.scroll(screen.top + 700);
    screen.readNear();
  }
  share(0);
  for (let i = 0; i < 30 && screen.port.top > 0; i++) screen.scroll(0);
  expect(screen.port.top).toBeLessThan(1);
});

test('the screen follows the end only if it was at the end', () => {
  const screen = new Screen(50, 9);
  screen.port.toEnd();
  screen.settle();
  screen.readNear();
  for (let i = 0; i < 20; i++) {
    screen.port.space.resize(screen.port.space.count + 1);
    screen.port.hold();
    screen.settle();
    screen.readNear();
    expect(screen.port.space.total - screen.port.top).toBeCloseTo(screen.port.tall, 0);
  }
  screen.scroll(screen.top - 10);
  expect(screen.port.pinned).toBe(false);
  const was = screen.top;
  for (let i = 0; i < 600; i++) {
    screen.port.space.resize(screen.port.space.count + 1);
    screen.port.hold();
    screen.settle();
    screen.read(screen.port.space.count - 1);
    expect(screen.top).toBe(was);
  }
  screen.scroll(1e12);
  expect(screen.port.pinned).toBe(true);
});
