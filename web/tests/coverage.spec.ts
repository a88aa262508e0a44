// A part is never shown as the whole: every page, while the server has read half of a home,
// while a directory cannot be read, and after a search that ran out of budget.

import type { Page, Route } from '@playwright/test';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { missing } from './browser';
import { makeMany } from './many';
import { routes } from './routes';
import { serve, type Server } from './server';
import { enter, expect, open, settled, shoot, test, violations } from './world';

/** ofAll are the pages that list, count or sum over sessions. The others are about one session, or
 * about our own directories: the trash, the journal, runs and settings. */
const ofAll = routes.filter(
  (r) =>
    (!/error|project-none|nowhere|more|settings|live-one|trash|activity|empty/.test(r.name) &&
      !r.path.startsWith('/s/')) ||
    r.name === 'session-usage',
);

/** claims are sentences that only the whole may say. */
const claims =
  /everything is in order|No problems found|No sessions yet|No Claude Code data|Nothing was found|Nothing is archived|No damaged lines|No (project|session)s? match(es)?\.|Nothing was used in this range\.|Nothing to remove\.|None\./;

/** saysPart is how a page says that its figures are a part. */
const saysPart = /so far|at least|not everything/;

const bar = (page: Page) => page.locator('.coverage.shown');

/** half makes every reply of the server one from an index that has read half of the home, until
 * the returned function is called. */
async function half(page: Page): Promise<() => void> {
  let reading = true;
  await page.route('**/api/v1/**', async (route: Route) => {
    const request = route.request();
    if (!reading || request.method() !== 'GET' || request.url().includes('/events')) {
      await route.fallback();
      return;
    }
    try {
      const answer = await route.fetch();
      const json = answer.headers()['content-type']?.startsWith('application/json');
      if (!json || !answer.ok()) await route.fulfill({ response: answer });
      else await route.fulfill({ response: answer, json: part(await answer.json()) });
    } catch {
      // the page has left, and wants no answer
    }
  });
  return () => {
    reading = false;
  };
}

/** part is a reply of an index that has read half of a home. */
function part(reply: Record<string, unknown>): unknown {
  if (!('coverage' in reply)) return reply;
  const out: Record<string, unknown> = {
    ...reply,
    coverage: { complete: false, reading: { files: 412, total: 6683 } },
  };
  if (typeof reply['total'] === 'number') out['total'] = reply['total'] >> 1;
  for (const [name, list] of Object.entries(out)) {
    if (Array.isArray(list)) out[name] = list.slice(0, Math.ceil(list.length / 2));
  }
  return out;
}

/** looksPartial asserts that nothing on the page passes for the whole. The page itself has to say
 * so: the bars above and below it do on every page. */
async function looksPartial(page: Page, name: string): Promise<void> {
  await expect.soft(bar(page), name).toBeVisible();
  await expect.soft(page.locator('#main').getByText(saysPart).first(), name).toBeVisible();
  expect.soft(await page.locator('#main').innerText(), name).not.toMatch(claims);
}

/** text is what the page says, without what changes while nothing happens. */
async function text(page: Page): Promise<string> {
  const all = await page.locator('#main').innerText();
  return all.replace(/\b\d+ ?(ms|s|m|h|d)\b|\b\d+(:\d\d)+\b/g, '…');
}

/** steady is what the page says once it says the same twice. */
async function steady(page: Page): Promise<string> {
  let before = '';
  const same = async (): Promise<boolean> => {
    const was = before;
    before = await text(page);
    return was === before;
  };
  await expect.poll(same, { intervals: [300] }).toBe(true);
  return before;
}

test('half of a home looks like a part on every page, and becomes whole @short', async ({
  page,
  demo,
}) => {
  test.setTimeout(240_000);
  await enter(page, demo);
  for (const route of ofAll) {
    await open(page, demo, route.path);
    const whole = await steady(page);
    const end = await half(page);
    await open(page, demo, route.path);
    await looksPartial(page, route.name);
    await shoot(page, `part-${route.name}`);
    expect.soft(await violations(page), route.name).toEqual([]);
    end();
    await expect(bar(page), `${route.name} becomes whole by itself`).toBeHidden();
    await settled(page);
    await expect(page.getByText('so far')).toHaveCount(0);
    await expect.soft(async () => expect(await text(page)).toBe(whole)).toPass({ timeout: 15_000 });
  }
});

test('the home page grows without a reload @short', async ({ page, demo }) => {
  await enter(page, demo);
  await open(page, demo, '/');
  const recent = page.getByRole('heading', { name: /^Recent/ });
  const whole = (await recent.textContent()) ?? '';
  const end = await half(page);
  await open(page, demo, '/');
  await expect(recent).toContainText('so far');
  end();
  await expect(recent).toHaveText(whole);
});

test('a search that ran out of budget says at least, and counts on @short', async ({
  page,
  demo,
}) => {
  await enter(page, demo);
  let whole = (): void => undefined;
  const counted = new Promise<void>((done) => (whole = done));
  await page.route('**/api/v1/search?**', async (route) => {
    const answer = await route.fetch();
    const found = (await answer.json()) as object;
    const coverage = { complete: false, searchStopped: true };
    if (route.request().url().includes('exact=true')) await counted;
    else Object.assign(found, { hitCount: 2, total: 1, complete: false, coverage });
    await route.fulfill({ response: answer, json: found });
  });
  await open(page, demo, '/search?q=half');
  const sum = page.locator('.sum');
  await expect(sum).toContainText('at least 2 hits in 1 session');
  await expect(sum).not.toContainText('complete');
  await shoot(page, 'part-search-budget');
  whole();
  await expect(sum).toContainText('complete');
  await expect(sum).not.toContainText('at least');
});

for (const [width, [w, h]] of Object.entries({ phone: [390, 844], narrow: [320, 256] })) {
  test(`progress fits ${width}, in both themes`, async ({ page, demo }) => {
    await page.setViewportSize({ width: w as number, height: h as number });
    await enter(page, demo);
    await half(page);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const path of ['/', '/sessions', '/usage']) {
        await open(page, demo, path);
        await expect(bar(page)).toBeVisible();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          w as number,
        );
        expect.soft(await violations(page), path).toEqual([]);
      }
      await page.goto(`${demo.url}/ui/`);
      await settled(page);
      await shoot(page, `part-home-${colorScheme}-${width}`);
    }
  });
}

test.describe('with a directory that cannot be read', () => {
  let server: Server;
  test.beforeAll(async () => {
    test.skip(missing !== '', missing);
    server = await serve(
      async (claude) => {
        await makeMany(claude, 30);
        const closed = join(claude, 'projects', '-home-ada-src-closed');
        await mkdir(closed);
        await writeFile(join(closed, 'c1000000-0000-4000-8000-000000000000.jsonl'), '');
        await chmod(closed, 0);
      },
      { unprivileged: true },
    );
  });
  test.afterAll(async () => {
    await chmod(join(server.home, '.claude', 'projects', '-home-ada-src-closed'), 0o700);
    await server.stop();
  });

  test('no page passes for the whole @short', async ({ page }) => {
    test.setTimeout(180_000);
    await enter(page, server);
    for (const route of ofAll) {
      await open(page, server, route.path);
      await looksPartial(page, route.name);
    }
    await open(page, server, '/');
    await shoot(page, 'part-unreadable');
    await page.close(); // or it would find the server gone
  });
});
