// A phone and a tablet: what a thumb has to hit is large enough, on every page.

import type { Page } from '@playwright/test';
import { flaky } from './demo';
import { routes } from './routes';
import { enter, expect, open, shoot, test } from './world';

/** small are the targets that a thumb would miss: what of them answers a touch is less than 44
 * pixels high or wide. A link within a sentence is as high as its line (WCAG 2.5.8 says the same). */
function small(page: Page, within = 'body'): Promise<string[]> {
  return page.evaluate((top) => {
    const kinds =
      'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=menuitem], [role=option], [role=switch], [role=radio], [role=checkbox]';
    const bad: string[] = [];
    // The days of a chart are columns; the table below it has a button for each of them.
    const columns = '.column';
    for (const el of document.querySelector(top)?.querySelectorAll<HTMLElement>(kinds) ?? []) {
      if (!el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (
        el.matches(`:disabled, ${columns}`) ||
        el.closest('.sr-only, [inert], [aria-hidden=true]')
      )
        continue;
      if (inSentence(el)) continue;
      el.scrollIntoView({ block: 'center', inline: 'center' });
      const box = el.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) continue;
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      if (!hits(el, x, y)) continue; // it is covered: it cannot be touched now
      // At once where all is well.
      const far = [-21.5, 21.5].every((d) => hits(el, x + d, y) && hits(el, x, y + d));
      if (far) continue;
      const reach = (dx: number, dy: number): number => {
        let n = 0;
        while (n < 44 && hits(el, x + dx * (n + 1), y + dy * (n + 1))) n++;
        return n;
      };
      const wide = reach(-1, 0) + 1 + reach(1, 0);
      const high = reach(0, -1) + 1 + reach(0, 1);
      if (wide >= 44 && high >= 44) continue;
      const name = el.getAttribute('aria-label') ?? el.textContent?.trim().slice(0, 30) ?? '';
      bad.push(`${wide}×${high} ${el.tagName.toLowerCase()}.${el.className} ${name}`);
    }
    return [...new Set(bad)];

    /** hits reports whether a touch here reaches the element or a parent of it. */
    function hits(el: HTMLElement, x: number, y: number): boolean {
      const at = document.elementFromPoint(x, y);
      if (!at) return false;
      if (el.contains(at)) return true;
      const label = at.closest('label');
      return label !== null && label.control === el;
    }

    function inSentence(el: HTMLElement): boolean {
      if (el.tagName !== 'A' || getComputedStyle(el).display !== 'inline') return false;
      const around = el.parentElement?.textContent?.trim() ?? '';
      return around.length > (el.textContent?.trim().length ?? 0) + 10;
    }
  }, within);
}

/** opened are things that lie over a page until they are closed. */
const opened: {
  name: string;
  path: string;
  within: string;
  open: (page: Page) => Promise<void>;
}[] = [
  {
    name: 'the menu of a row',
    within: '[role=menu]',
    path: '/sessions',
    open: async (page) => {
      await page.getByRole('button', { name: 'Actions for Docs sweep' }).tap();
      await expect(page.getByRole('menuitem').first()).toBeVisible();
    },
  },
  {
    name: 'the filters',
    within: 'aside[aria-label=Filters]',
    path: '/sessions',
    open: async (page) => {
      await page.getByRole('button', { name: 'Filters' }).tap();
      await expect(page.locator('label[title=program]')).toBeVisible();
    },
  },
  {
    name: 'the menu of a conversation',
    within: '[role=menu]',
    path: `/s/${flaky}`,
    open: async (page) => {
      await page.getByText('⋯').tap();
      await expect(page.getByRole('menuitem', { name: 'Copy link' })).toBeVisible();
    },
  },
  {
    name: 'what is where in a conversation',
    within: 'aside[aria-label="About this conversation"]',
    path: `/s/${flaky}`,
    open: async (page) => {
      await page.getByRole('button', { name: 'Outline and details' }).tap();
      await expect(page.getByRole('tab', { name: /^Branches/ })).toBeVisible();
    },
  },
];

for (const [width, height] of [
  [360, 780],
  [390, 844],
  [768, 1024],
] as const) {
  test.describe(`${width} pixels wide`, () => {
    test.use({ viewport: { width, height }, hasTouch: true, isMobile: true });

    test('U18: a thumb hits every target', async ({ page, demo }) => {
      test.setTimeout(300_000);
      await enter(page, demo);
      for (const route of routes) {
        await open(page, demo, route.path);
        await shoot(page, `${route.name}-${width}`);
        expect.soft(await small(page), route.path).toEqual([]);
        // A page wider than the screen would be scaled down.
        expect.soft(await page.evaluate(() => innerWidth), route.path).toBe(width);
      }
      for (const o of opened) {
        await open(page, demo, o.path);
        await o.open(page);
        await shoot(page, `${o.name.replaceAll(' ', '-')}-${width}`);
        expect.soft(await small(page, o.within), o.name).toEqual([]);
      }
    });
  });
}
