// Branches: the tree that is drawn, the steps beside a message, two of them side by
// side, and the way there by keys alone.

import type { Page } from '@playwright/test';
import { missing } from './browser';
import { fixtures, makeBranches, uuidOf } from './branches';
import { feed, showing, still } from './feed';
import { serve, type Server } from './server';
import { enter, expect, open, test as base } from './world';

const test = base.extend<object, { branches: Server }>({
  branches: [
    // eslint-disable-next-line no-empty-pattern -- Playwright wants it
    async ({}, use) => {
      test.skip(missing !== '', missing);
      const server = await serve(makeBranches);
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

/** graph reads the lines that are drawn: every row, and the row its line comes from. */
function graph(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const lanes: string[] = [];
    return [...document.querySelectorAll('[role=treeitem]')].map((item) => {
      const name = item.querySelector('.title')?.textContent?.trim() ?? '';
      const node = item.querySelector('circle, rect');
      const x = Number(node?.getAttribute('cx') ?? Number(node?.getAttribute('x')) + 4);
      const lane = (at: number): number => (at - 24) / 24;
      const curve = item.querySelector('path.own')?.getAttribute('d');
      const straight = item.querySelector('line.own[y1="0"]');
      const from = curve ? Number(/^M([\d.]+)/.exec(curve)?.[1]) : straight ? x : undefined;
      const parent = from === undefined ? '' : ` < ${lanes[lane(from)] ?? 'nothing'}`;
      lanes[lane(x)] = name;
      return name + parent;
    });
  });
}

for (const [name, fixture] of Object.entries(fixtures)) {
  test(`the tree of ${name} is what was written, and all of it is reached`, async ({
    page,
    branches,
  }) => {
    await enter(page, branches);
    await open(page, branches, `/s/${fixture.id}/tree`);
    await expect(page.getByRole('treeitem')).toHaveCount(fixture.graph.length);
    const drawn = (await graph(page)).toSorted();
    expect(drawn).toEqual(fixture.graph.toSorted());

    // Every message is in one of the conversations.
    const leaves = await page
      .locator('aside li a')
      .evaluateAll((links) => links.map((a) => (a as HTMLAnchorElement).pathname.slice(3)));
    const reached = new Set<string>();
    for (const leaf of leaves) {
      await open(page, branches, leaf);
      await showing(page);
      await still(page);
      for (const key of await page
        .locator(`${feed} article`)
        .evaluateAll((rows) => rows.map((r) => (r as HTMLElement).dataset['key'] ?? '')))
        reached.add(key);
    }
    for (const line of fixture.lines)
      expect(reached, line.name).toContain(uuidOf(fixture, line.name));
  });
}

test('steps go from one branch to the next and back', async ({ page, branches }) => {
  const { id } = fixtures['edit'] ?? { id: '' };
  await enter(page, branches);
  await open(page, branches, `/s/${id}`);
  const text = page.locator(feed);
  await expect(text).toContainText('answer c');
  await expect(text).toContainText('2/2');
  await page.getByRole('button', { name: 'Previous branch' }).click();
  await expect(text).toContainText('answer b');
  await expect(text).toContainText('1/2');
  await expect(page.getByRole('button', { name: 'Previous branch' })).toBeDisabled();
  await page.getByRole('button', { name: 'Next branch' }).click();
  await expect(text).toContainText('answer c');
  await page.goBack();
  await expect(text).toContainText('answer b');
});

test('a session and its fork stand side by side', async ({ page, branches }) => {
  const { id } = fixtures['fork'] ?? { id: '' };
  await enter(page, branches);
  await open(page, branches, `/s/${id}/tree`);
  const rows = page.getByRole('treeitem');
  await expect(rows).toHaveCount(3);
  await rows.filter({ hasText: 'another session' }).getByRole('button', { name: 'Pick' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByText('1 shared turn')).toHaveCount(0);
  await expect(page.locator('.cell').nth(0)).toContainText('answer z');
  await expect(page.locator('.cell').nth(1)).toContainText('answer y');
  await expect(page.getByText('another session')).toBeVisible();
});

test('from the list to two branches side by side by keys alone @short', async ({
  page,
  branches,
}) => {
  await page.addInitScript(() => {
    for (const kind of ['mousedown', 'pointerdown'])
      addEventListener(kind, () => ((window as unknown as { touched: boolean }).touched = true));
  });
  const { id } = fixtures['edit'] ?? { id: '' };
  await enter(page, branches);
  await open(page, branches, `/s/${id}`);
  await expect(page.locator(feed)).toContainText('answer c');
  await page.keyboard.press('K');
  await page.keyboard.press('[');
  await expect(page.locator(feed)).toContainText('answer b');
  await page.keyboard.press('b');
  await expect(page.getByRole('treeitem')).toHaveCount(3);
  // The conversation that continues is picked already; the other one is the second row.
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.getByText('Two conversations picked')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/compare/);
  await expect(page.locator('.cell').filter({ hasText: 'answer b' })).toBeVisible();
  await expect(page.locator('.cell').filter({ hasText: 'answer c' })).toBeVisible();
  expect(await page.evaluate(() => 'touched' in window)).toBe(false);
});
