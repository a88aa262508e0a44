// What tests of a conversation look at: its rows, and where they stand.

import { expect, type Page } from '@playwright/test';

export const feed = '[role=feed]';

/** showing waits until the rows of a conversation are on the screen. */
export async function showing(page: Page): Promise<void> {
  await expect(page.locator(`${feed} article`).first()).toBeVisible({ timeout: 30_000 });
}

/** still waits until nothing on the screen moves any more. */
export async function still(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const seen = (): string => {
      const box = document.querySelector('[role=feed]');
      const rows = [...(box?.querySelectorAll('article') ?? [])];
      return JSON.stringify([
        box?.scrollTop,
        rows.map((r) => [r.dataset['key'], r.getBoundingClientRect().top]),
      ]);
    };
    const before = seen();
    await new Promise((done) => setTimeout(done, 350));
    return seen() === before && document.querySelector('[role=feed] .wait') === null;
  });
}

/** first is the first row that is wholly on the screen, else the one that fills it, and where it
 * stands. */
export function first(page: Page): Promise<{ key: string; y: number }> {
  return page.evaluate(() => {
    const box = document.querySelector('[role=feed]') as HTMLElement;
    const { top, bottom } = box.getBoundingClientRect();
    const rows = [...box.querySelectorAll('article')].map((row) => {
      const at = row.getBoundingClientRect();
      return { key: row.dataset['key'] ?? '', y: at.top - top, end: at.bottom - top };
    });
    const seen = rows.filter((r) => r.end > 0 && r.y < bottom - top);
    const found = seen.find((r) => r.y >= 0) ?? seen[0];
    if (!found) throw new Error('nothing is on the screen');
    return { key: found.key, y: found.y };
  });
}

export function place(page: Page, key: string): Promise<number> {
  return page.evaluate((k) => {
    const box = document.querySelector('[role=feed]') as HTMLElement;
    const row = box.querySelector(`[data-key="${CSS.escape(k)}"]`) as HTMLElement;
    return row.getBoundingClientRect().top - box.getBoundingClientRect().top;
  }, key);
}

/** wheel turns the wheel over the feed. */
export async function wheel(page: Page, by: number): Promise<void> {
  await page.locator(feed).hover();
  await page.mouse.wheel(0, by);
}

/** covered waits until rows fill the screen and returns how long that took in ms. */
export function covered(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const begun = performance.now();
    const box = document.querySelector('[role=feed]') as HTMLElement;
    const at = box.getBoundingClientRect();
    const row = (share: number): boolean =>
      !!document.elementFromPoint(at.left + 80, at.top + at.height * share)?.closest('article');
    while (![0.02, 0.3, 0.6, 0.95].every(row)) {
      if (performance.now() - begun > 15_000) throw new Error('nothing is on the screen');
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - begun;
  });
}

/** middle is the one in the middle of some numbers. */
export function middle(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

/** Asked is what a page asked for blocks. */
export interface Asked {
  all: number;
  most: number; // at once
}

/** counted lets a page count what it asks for blocks, from before it is opened. */
export async function counted(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const asked = { all: 0, most: 0 };
    let now = 0;
    const real = window.fetch.bind(window);
    Object.assign(window, {
      asked,
      fetch: async (...args: Parameters<typeof fetch>): Promise<Response> => {
        const url = args[0] instanceof Request ? args[0].url : String(args[0]);
        if (!url.includes('/blocks')) return real(...args);
        asked.all++;
        asked.most = Math.max(asked.most, ++now);
        try {
          return await real(...args);
        } finally {
          now--;
        }
      },
    });
  });
}

/** asked is what was counted since it was asked last. */
export function asked(page: Page): Promise<Asked> {
  return page.evaluate(() => {
    const { asked } = window as unknown as { asked: Asked };
    const was = { ...asked };
    Object.assign(asked, { all: 0, most: 0 });
    return was;
  });
}
