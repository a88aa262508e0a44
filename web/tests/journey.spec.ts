// What somebody wants who opened the dashboard for the first time: to find what
// was said, to see what was given up, to watch, and to tidy without fear.

import type { Page } from '@playwright/test';
import { addSwarm, flaky, think } from './demo';
import type { Server } from './server';
import { enter, expect, settled, shoot, test } from './world';

const long = { timeout: 60_000 }; // each session is copied before it is put away
const half = 'line until its newline arrives'; // as one remembers it, days later

async function openHit(page: Page): Promise<void> {
  const hit = page.locator('a.hit').first();
  await expect(hit).toContainText('until its newline');
  await hit.click();
  await expect(page).toHaveURL(new RegExp(`/s/${flaky}`));
  await expect(page.locator('[role=feed] article').first()).toBeVisible();
}

/** otherWay goes to the branch that was given up, and back. */
async function otherWay(page: Page, name: string): Promise<void> {
  const ways = page.getByRole('button', { name: 'Previous branch' });
  await expect(ways.first()).toBeVisible();
  const way = page.getByText(/^\d\/\d$/).first();
  const was = await way.innerText();
  await ways.first().click();
  await expect(page).toHaveURL(/\/b\//);
  await expect(page.getByText(/^\d\/\d$/).first()).not.toHaveText(was);
  await shoot(page, `journey-branch-${name}`);
}

async function watch(page: Page, server: Server, name: string): Promise<void> {
  await expect(page.getByText(/running \d/).first()).toBeVisible();
  await think(server, 'The soak has run long enough to be believed.');
  await expect(page.getByText('long enough to be believed').first()).toBeVisible();
  await shoot(page, `journey-live-${name}`);
}

/** tidy archives what a program started, and takes it back. */
async function tidy(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'all 32' }).click();
  const bulk = page.getByRole('region', { name: 'Selected sessions' });
  await expect(bulk).toContainText('32 selected');
  await shoot(page, `journey-archive-${name}`);
  await bulk.getByRole('button', { name: /^Archive/ }).click();
  await expect(page.getByText('Archived 32 sessions.')).toBeVisible(long);
  await expect(page.getByText('No sessions match.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('h1')).toHaveText('32 sessions', long);
}

test('on a laptop: find, see the other branch, watch, archive thirty and undo', async ({
  page,
  own,
}) => {
  test.setTimeout(180_000);
  await addSwarm(own, 30);
  await enter(page, own);
  await page.getByRole('combobox', { name: 'Search all sessions' }).fill(half);
  await page.keyboard.press('Enter');
  await openHit(page);
  await otherWay(page, 'laptop');
  await page.getByRole('link', { name: 'Live' }).click();
  await watch(page, own, 'laptop');
  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
  await settled(page);
  const sources = page.getByRole('complementary', { name: 'Filters' });
  await sources.locator('label[title=program]').click();
  await expect(page.locator('h1')).toHaveText('32 sessions');
  await page.locator('[data-index="0"] input[type=checkbox]').click();
  await tidy(page, 'laptop');
});

test.describe('with a thumb', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('on a phone: find, see the other branch, watch, archive thirty and undo', async ({
    page,
    own,
  }) => {
    test.setTimeout(180_000);
    await addSwarm(own, 30);
    await enter(page, own);
    const tabs = page.getByRole('navigation', { name: 'Tabs' });
    await tabs.getByText('Search').tap();
    await page.getByRole('combobox', { name: 'Search all sessions' }).fill(half);
    await openHit(page);
    await otherWay(page, 'phone');
    await tabs.getByText('Live').tap();
    await watch(page, own, 'phone');
    await tabs.getByText('Sessions').tap();
    await page.getByRole('button', { name: 'Filters' }).tap();
    const filters = page.getByRole('complementary', { name: 'Filters' });
    await filters.locator('label[title=program]').tap();
    await page.getByRole('button', { name: 'Filters' }).tap();
    await expect(page.locator('h1')).toHaveText('32 sessions');
    await page.getByRole('button', { name: 'Select' }).tap();
    await page.locator('[data-index="0"] input[type=checkbox]').tap();
    await tidy(page, 'phone');
  });
});
