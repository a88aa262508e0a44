// What holds on every page: the bars stand where they are, however one scrolls, and a page
// that nothing happens on asks nothing.

import { routes } from './routes';
import { bars, loose, small, stand, toEnd } from './scroll';
import { enter, expect, open, settled, shoot, test } from './world';

const widths = { wide: [1440, 900], drawer: [1024, 800], phone: [390, 844] } as const;

for (const [width, [w, h]] of Object.entries(widths)) {
  test(`the bars stand, and buttons can be hit: ${width}`, async ({ page, demo }) => {
    test.setTimeout(180_000);
    await page.setViewportSize({ width: w, height: h });
    await enter(page, demo);
    for (const route of routes) {
      await open(page, demo, route.path);
      expect.soft(await bars(page), `${route.path}, opened`).toEqual(stand);
      expect.soft(await loose(page), route.path).toEqual([]);
      expect.soft(await small(page), route.path).toEqual([]);
      await toEnd(page);
      expect.soft(await bars(page), `${route.path}, at its end`).toEqual(stand);
    }
  });
}

test('a page on which nothing happens asks nothing', async ({ page, demo }) => {
  test.setTimeout(180_000);
  await enter(page, demo);
  const some = 10; // pages that are open at once
  for (let i = 0; i < routes.length; i += some) {
    const group = routes.slice(i, i + some);
    const pages = await Promise.all(group.map(() => page.context().newPage()));
    await Promise.all(pages.map((p, n) => open(p, demo, group[n]?.path ?? '/')));
    await page.waitForTimeout(15_000); // a session that may appear is asked for a few times
    const asked = new Map<string, string[]>();
    pages.forEach((p, n) => {
      p.on('request', (r) => {
        const path = group[n]?.path ?? '/';
        asked.set(path, [...(asked.get(path) ?? []), `${r.method()} ${new URL(r.url()).pathname}`]);
      });
    });
    await page.waitForTimeout(10_000);
    expect.soft(Object.fromEntries(asked)).toEqual({});
    await Promise.all(pages.map((p) => p.close()));
  }
});

test('a selected session is asked for once @short', async ({ page, demo }) => {
  await enter(page, demo);
  await open(page, demo, '/sessions');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await settled(page);
  let asked = 0;
  page.on('request', (r) => (asked += r.url().includes('/blocks') ? 1 : 0));
  await page.waitForTimeout(5000);
  expect(asked).toBe(0);
});

test('forced colours keep what is drawn as a background', async ({ page, demo }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await enter(page, demo);
  await open(page, demo, '/s/39877941');
  await shoot(page, 'conversation-forced');
  const seen = (selector: string, pseudo?: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(
        (e, p) => [
          getComputedStyle(e, p).backgroundColor,
          getComputedStyle(document.body).backgroundColor,
        ],
        pseudo,
      );
  const [rail, canvas] = await seen('.rail', '::before');
  expect(rail).not.toBe(canvas);
  const [context] = await seen('.bar > span');
  expect(context).not.toBe(canvas);
  await open(page, demo, '/sessions');
  await page.keyboard.press('j');
  await shoot(page, 'sessions-forced');
  const [row] = await seen('.line.here');
  expect(row).not.toBe(canvas);
});

test('the top bar fits every width @short', async ({ page, demo }) => {
  await enter(page, demo);
  for (const width of [760, 1023, 1024, 1199, 1200]) {
    await page.setViewportSize({ width, height: 800 });
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(beyond, `${width} px`).toBeLessThanOrEqual(0);
    await page.getByText('More', { exact: true }).first().click();
    await expect.soft(page.getByRole('link', { name: /^Insights/ })).toHaveCount(1);
    await page.getByText('More', { exact: true }).first().click();
  }
});
