// Whether the bars of the frame stand, however one scrolls.

import type { Page } from '@playwright/test';

/** toEnd scrolls what can be scrolled to its end, by wheel and by key, and further. */
export async function toEnd(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  await page.mouse.move(size.width / 2, size.height / 2);
  for (let i = 0; i < 4; i++) await page.mouse.wheel(0, 100_000);
  await page.evaluate(() => {
    for (const e of document.querySelectorAll('*'))
      if (e.scrollHeight > e.clientHeight) e.scrollTop = e.scrollHeight;
    window.scrollTo(0, document.documentElement.scrollHeight);
  });
}

/** bars are where the first and the last of the bars stand, and how far the window is scrolled. */
export const bars = (page: Page) =>
  page.evaluate(() => {
    const visible = [...document.querySelectorAll('.frame > *')]
      .map((e) => e.getBoundingClientRect())
      .filter((r) => r.height > 0);
    return {
      top: Math.round(Math.min(...visible.map((r) => r.top))),
      bottom: Math.round(Math.max(...visible.map((r) => r.bottom)) - innerHeight),
      scrolled: Math.round(scrollY + document.body.scrollTop),
    };
  });

/** loose are the elements that scroll and do not hold what is placed absolutely in them, such as
 * words for screen readers: those would lengthen the page around them. */
export const loose = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.frame *')]
      .filter((e) => {
        const style = getComputedStyle(e);
        const scrolls = /auto|scroll/.test(style.overflowY) && e.scrollHeight > e.clientHeight;
        return scrolls && style.position === 'static' && e.tagName !== 'TEXTAREA';
      })
      .map((e) => `${e.tagName} ${e.className}`),
  );

export const stand = { top: 0, bottom: 0, scrolled: 0 };

/** small are the buttons that are harder to hit than those of 24 pixels. Columns of a chart are
 * narrower: its table has the same days. */
export const small = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, [role=button]')]
      .filter((e) => !e.closest('.chart'))
      .map((e) => ({ name: e.ariaLabel ?? e.textContent?.trim(), at: e.getBoundingClientRect() }))
      .filter(({ at }) => at.width > 0 && at.height > 0 && Math.min(at.width, at.height) < 24)
      .map(({ name, at }) => `${name}: ${Math.round(at.width)} × ${Math.round(at.height)}`),
  );
