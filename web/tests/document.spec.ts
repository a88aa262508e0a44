// A session as a page of HTML: one file that loads nothing, is read without script and prints.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { flaky } from './demo';
import type { Server } from './server';
import { expect, shoot, test, violations } from './world';

/** written exports a session of the demo and returns the address of the page. */
async function written(server: Server, ...flags: string[]): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'sesskeep-page-')), 'talk.html');
  await server.command('export', flaky, '-o', file, ...flags);
  return pathToFileURL(file).href;
}

/** watched lists the requests of a page beside the one for its file. */
function watched(page: Page): string[] {
  const list: string[] = [];
  page.on('request', (r) => {
    if (!r.url().startsWith('file://') || r.resourceType() !== 'document') list.push(r.url());
  });
  return list;
}

/** overflow is by how much a page is wider than its window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test('a page is read at three widths, and axe finds nothing @short', async ({ browser, demo }) => {
  const url = await written(demo, '--agents');
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [820, 'dark'],
    [360, 'light'],
  ] as const) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const requests = watched(page);
    const errors: string[] = [];
    page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
    await page.goto(url);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Fix the flaky parser test on CI',
    );
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await shoot(page, `document-${width}`);
    expect(requests).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  }
});

test('without script everything is there @short', async ({ browser, demo }) => {
  const url = await written(demo, '--agents', '--replay');
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  await expect(page.locator('#find')).toBeHidden();
  await expect(page.locator('#replay')).toBeHidden();
  const call = page.locator('details', { hasText: 'Run the test 200 times' }).first();
  await call.locator('summary').first().click();
  await expect(call.getByText('go test -run TestTail -count=200')).toBeVisible();
  await page.getByLabel('dark').check({ force: true });
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(15, 17, 21)');
  await page.getByLabel('light').check({ force: true });
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await context.close();
});

test('find opens the folds that hide a hit, also across colours', async ({ browser, demo }) => {
  const page = await browser.newPage();
  await page.goto(await written(demo));
  const box = page.getByLabel('Find in page');
  await box.fill('-count=200 ./...');
  await expect(page.locator('#find output')).toHaveText(/^1 of \d+$/);
  await expect(page.getByText('go test -run TestTail -count=200').first()).toBeInViewport();
  await box.fill('no such words anywhere');
  await expect(page.locator('#find output')).toHaveText('not found');
  await page.close();
});

test('on paper every fold is open and the contents come first', async ({ browser, demo }) => {
  const page = await browser.newPage();
  await page.goto(await written(demo));
  await page.emulateMedia({ media: 'print' });
  const contents = await page.locator('nav').boundingBox();
  const main = await page.locator('main').boundingBox();
  expect(contents?.y).toBeLessThan(main?.y ?? 0);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(page.locator('details:not([open])')).toHaveCount(0);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(page.locator('details:not([open])').first()).toBeAttached();
  await page.close();
});

test('a page plays the session', async ({ browser, demo }) => {
  const page = await browser.newPage();
  await page.goto(await written(demo, '--replay'));
  const parts = page.locator('main > .part:not([hidden])');
  const all = await parts.count();
  await page.getByLabel('Position').fill('0');
  await expect.poll(() => parts.count()).toBeLessThan(3);
  await page.getByLabel('Speed').selectOption('20');
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => parts.count()).toBeGreaterThan(3);
  await page.getByRole('button', { name: 'Pause' }).click();
  const some = await parts.count();
  expect(some).toBeLessThan(all);
  await page.getByLabel('Position').fill('100000');
  await expect(parts).toHaveCount(all);
  await page.close();
});

test('a folder of pages is a site that searches without a server', async ({ browser, demo }) => {
  const dir = await mkdtemp(join(tmpdir(), 'sesskeep-site-'));
  await demo.command('export', '--into', join(dir, 'site'), '--to', 'html', '--all');
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  const requests = watched(page);
  const errors: string[] = [];
  page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
  await page.goto(pathToFileURL(join(dir, 'site', 'index.html')).href);
  const rows = page.locator('#sessions tbody tr:not([hidden])');
  const all = await rows.count();
  expect(all).toBeGreaterThan(5);
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Search in all sessions').fill('benchstat soak');
  await expect(rows).toHaveCount(1);
  await expect(rows.getByRole('link')).toHaveText('Fix the flaky parser test on CI');
  await shoot(page, 'document-site');
  expect(requests).toEqual([]);
  await rows.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Fix the flaky parser test on CI',
  );
  expect(errors).toEqual([]);
  await page.close();
});
