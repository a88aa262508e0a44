// The conversation: its branches, its keys, and one that attacks its reader.

import { evilId, makeEvil } from './long';
import { missing } from './browser';
import { feed, showing, still } from './feed';
import { serve, type Server } from './server';
import { enter, expect, open, test as base, violations } from './world';

const flaky = '39877941-aab8-4b02-abd4-e7471d0664fc'; // of the demo: three branches

const test = base.extend<object, { evil: Server }>({
  evil: [
    // eslint-disable-next-line no-empty-pattern -- Playwright wants it
    async ({}, use) => {
      test.skip(missing !== '', missing);
      const server = await serve(makeEvil);
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

test('an attack is text, wherever it stands', async ({ page, evil }) => {
  await enter(page, evil);
  const at = `/s/${evilId}`;
  for (const path of [
    at,
    `${at}?tools=full&thinking=full&view=everything`,
    `${at}/tree`,
    `${at}/files`,
    `${at}/usage`,
    `${at}/raw`,
  ]) {
    await open(page, evil, path);
    await page.waitForTimeout(800);
    for (let i = 0; i < 8; i++) {
      await page.evaluate((n) => document.querySelector('[role=feed]')?.scrollTo(0, n * 1200), i);
      await page.waitForTimeout(60);
      const bad = await page.evaluate(() => ({
        hit: 'hit' in window,
        made: document.querySelectorAll(
          'main script, main iframe, main style, main link, main base, main object, main embed, main form[action], main img:not([src^="blob:"]), main [onerror], main [onload]',
        ).length,
        links: [...document.querySelectorAll('main a')].filter(
          (a) => !/^(https?:|mailto:)/.test((a as HTMLAnchorElement).href),
        ).length,
      }));
      expect(bad, path).toEqual({ hit: false, made: 0, links: 0 });
    }
  }
});

test('branches, keys and the way back @short', async ({ page, demo }) => {
  await enter(page, demo);
  await open(page, demo, `/s/${flaky}`);
  await showing(page);
  await still(page);
  const text = page.locator(feed);
  // The model's window, from its name or its client, as the terminal shows it.
  await expect(page.getByText(/^26\.4k of 1M, 2 %$/)).toBeVisible();
  await expect(text).toContainText('2/2');
  await expect(text).toContainText('Write a benchmark that proves it is not slower');
  await page.keyboard.press('[');
  await expect(page).toHaveURL(/\/b\/72cfaf6a/);
  await expect(text).toContainText('110 MB/s');
  await expect(text).toContainText('1/2');
  await page.keyboard.press(']');
  await expect(text).toContainText('CI is green');
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`/s/${flaky}$`));
  await expect(text).toContainText('CI is green');
  await page.keyboard.press('t');
  await expect(page).toHaveURL(/thinking=full/);
  await page.keyboard.press('b');
  await expect(page.getByRole('treeitem')).toHaveCount(10);
  expect(await violations(page)).toEqual([]);
});
