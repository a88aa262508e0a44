// Every page: whole, accessible, and nothing from elsewhere.

import { routes } from './routes';
import { bars, stand, toEnd } from './scroll';
import { enter, expect, open, shoot, test, violations } from './world';

for (const route of routes.filter((r) => r.short)) {
  test(`${route.name} @short`, async ({ page, demo }) => {
    await enter(page, demo);
    await open(page, demo, route.path);
    await shoot(page, route.name);
    expect(await violations(page)).toEqual([]);
    await toEnd(page);
    expect(await bars(page)).toEqual(stand);
  });
}

test('login, without a code and with a wrong one @short', async ({ page, demo }) => {
  await page.goto(`${demo.url}/ui/`);
  await expect(page.getByText('This browser is not paired.')).toBeVisible();
  await shoot(page, 'login');
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Code').fill('not-a-code');
  await page.getByRole('button', { name: 'Enter' }).click();
  await expect(page.getByRole('alert')).not.toBeEmpty();
});

const widths = { wide: [1440, 900], drawer: [1024, 800], phone: [390, 844] } as const;

for (const theme of ['dark', 'light'] as const) {
  for (const [width, [w, h]] of Object.entries(widths)) {
    test(`no violation of WCAG: ${theme}, ${width}`, async ({ page, demo }) => {
      test.setTimeout(300_000);
      await page.setViewportSize({ width: w, height: h });
      await page.emulateMedia({ colorScheme: theme });
      await enter(page, demo);
      for (const route of routes) {
        await open(page, demo, route.path);
        await shoot(page, `${route.name}-${theme}-${width}`);
        expect.soft(await violations(page), route.path).toEqual([]);
      }
    });
  }
}

// What a screen of 1280 × 1024 leaves at 400 %.
test('U10: at 320 pixels no page scrolls sideways', async ({ page, demo }) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 320, height: 256 });
  await enter(page, demo);
  for (const route of routes) {
    await open(page, demo, route.path);
    const wide = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.querySelector('main')?.scrollWidth ?? 0,
    ]);
    expect.soft(Math.max(...wide), route.path).toBeLessThanOrEqual(320);
  }
});
