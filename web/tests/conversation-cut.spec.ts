// A session is written while the way to the server is cut again and again, and
// while there is no server.

import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
// A way that is cut is an error in the console: here that is meant.
import { expect, test, type Page } from '@playwright/test';
import { missing } from './browser';
import { cutter, type Cutter } from './cutter';
import { feed, showing, still, wheel } from './feed';
import { answer, fileOf, longId, makeLong } from './long';
import { serve, type Server } from './server';
import { enter } from './world';

const before = 200;
const appends = Number(process.env['SESSKEEP_APPENDS'] ?? 10_000);
const cuts = 50;

test.skip(missing !== '', missing);

/** both are a server and the way to it that is cut. */
async function both(messages: number): Promise<{ server: Server; way: Cutter }> {
  const way = await cutter();
  const args = (): string[] => ['--allow-host', way.host];
  const server = await serve((claude) => makeLong(claude, messages), { args });
  way.lead(server.url);
  return { server, way };
}

async function begin(page: Page, server: Server, way: Cutter): Promise<void> {
  await enter(page, server);
  // The token is kept for an origin: the one that is cut has to get it too.
  const token = await page.evaluate(() => localStorage.getItem('sesskeep.token') ?? '');
  await page.addInitScript((t) => localStorage.setItem('sesskeep.token', t), token);
  await page.goto(`${way.url}/ui/s/${longId}`);
  await showing(page);
  await still(page);
}

test(`cut ${cuts} times during ${appends} appends: nothing is lost, nothing comes twice`, async ({
  page,
}) => {
  test.setTimeout(280_000);
  const { server, way } = await both(before);
  try {
    await begin(page, server, way);
    await expect(page.getByText('live', { exact: true }).first()).toBeVisible();
    await wheel(page, -1500);
    await still(page);
    const file = fileOf(join(server.home, '.claude'), longId);
    for (let i = 0; i < appends; i++) {
      await appendFile(file, answer(longId, before + i, [{ type: 'text', text: `written ${i}.` }]));
      if (i % (appends / cuts) === 0) way.cut();
      if (i % 40 === 0) await page.waitForTimeout(20);
    }
    await expect(page.locator('.pill')).toContainText(`${appends} new`, { timeout: 60_000 });
    // All of it, once, in order: read from the page itself.
    const seen = await page.locator(feed).evaluate(async (el) => {
      const found: number[] = [];
      const look = (): void => {
        for (const row of el.querySelectorAll('article')) {
          const n = /written (\d+)\./.exec(row.textContent)?.[1];
          if (n !== undefined && Number(n) > (found.at(-1) ?? -1)) found.push(Number(n));
        }
      };
      const twice = (): boolean => {
        const keys = [...el.querySelectorAll('article')].map((r) => r.dataset['key']);
        return new Set(keys).size !== keys.length;
      };
      const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
      let doubled = false;
      for (let at = -1; at !== el.scrollTop;) {
        at = el.scrollTop;
        for (let n = 0; n < 200 && el.querySelector('.wait'); n++) await wait(20);
        look();
        doubled ||= twice();
        el.scrollTop += 700;
        await new Promise(requestAnimationFrame);
        await wait(0);
      }
      return { found, doubled };
    });
    expect(seen.doubled).toBe(false);
    expect(seen.found).toEqual(Array.from({ length: appends }, (_, i) => i));
  } finally {
    await page.close();
    await way.stop();
    await server.stop();
  }
});

test('without a server the page stays, and continues when the server is back', async ({ page }) => {
  test.setTimeout(120_000);
  const { server, way } = await both(2000);
  await begin(page, server, way);
  let gone = true;
  await page.route('**/api/**', (route) =>
    gone ? route.abort('connectionrefused') : route.continue(),
  );
  way.cut();
  // What was on the screen is there; what was not says that it waits.
  await expect(page.locator(`${feed} article`).last()).toBeInViewport();
  await page.locator(feed).evaluate((el) => (el.scrollTop = el.scrollHeight / 2));
  await expect(page.locator(`${feed} .wait`).first()).toBeVisible();
  gone = false;
  await expect(page.locator(`${feed} .wait`)).toHaveCount(0, { timeout: 30_000 });
  await expect(page.locator(`${feed} article`).first()).toBeVisible();
  await page.close();
  await way.stop();
  await server.stop();
});
