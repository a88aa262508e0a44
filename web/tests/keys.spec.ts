// Everything without a mouse.

import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { fixtures, makeBranches } from './branches';
import { missing } from './browser';
import { serve } from './server';
import { enter, expect, settled, shoot, test, violations } from './world';

const table = JSON.parse(
  readFileSync(new URL('../src/lib/keys.json', import.meta.url), 'utf8'),
) as { action: string; text: string }[];

/** seen asserts that the focused element is visible. */
async function seen(page: Page): Promise<void> {
  const where = await page.evaluate(() => {
    const at = document.activeElement;
    if (!at || at === document.body) return 'nowhere';
    const box = at.getBoundingClientRect();
    const inside = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
    const under = document.elementFromPoint(
      box.left + Math.min(box.width / 2, 40),
      box.top + box.height / 2,
    );
    const free = under !== null && (at.contains(under) || under.contains(at));
    return inside && free
      ? 'seen'
      : `hidden: ${at.tagName} ${at.className} ${at.textContent?.slice(0, 60) ?? ''}`;
  });
  expect(where).toBe('seen');
}

test('find, tag, star, rename, throw away, undo and open by keys alone @short', async ({
  page,
  own,
}) => {
  await page.addInitScript(() => {
    for (const kind of ['mousedown', 'pointerdown'])
      addEventListener(kind, () => ((window as unknown as { touched: boolean }).touched = true));
  });
  await enter(page, own);
  await page.keyboard.press('2');
  await settled(page);
  await expect(page.locator('[role=row][data-id]').first()).toBeVisible();
  for (let i = 0; i < 5; i++) await page.keyboard.press('j');
  await seen(page);
  const row = page.locator('[role=row].here');
  await expect(row).toContainText('Docs sweep');

  await page.keyboard.press('#');
  await expect(page.getByRole('dialog')).toBeVisible();
  await seen(page);
  await page.keyboard.type('later docs');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('#docs');
  await expect(row).toContainText('#later');
  await seen(page);

  await page.keyboard.press('*');
  await expect(row).toContainText('starred');

  await page.keyboard.press('r');
  await seen(page);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Docs, again');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('Docs, again');
  await seen(page);

  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('X');
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await expect(page.locator('h1')).toHaveText(/^(21|22) sessions$/);
  await page.keyboard.press('u');
  await expect(page.locator('h1')).toHaveText('24 sessions');
  await page.keyboard.press('Escape'); // what could not be moved is still selected
  await expect(page.getByText('selected', { exact: false })).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Session, page or command' })).toBeFocused();
  await page.keyboard.type('idempotency');
  await expect(page.getByRole('option', { selected: true })).toContainText('idempotency');
  await shoot(page, 'palette');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/ui\/s\/0a1b0b05/);

  await page.keyboard.press('7');
  await expect(page.getByLabel('Search all sessions')).toBeFocused();
  await page.keyboard.type('half');
  await expect(page.getByText('complete')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await seen(page);
  await page.keyboard.press('n');
  await seen(page);
  await page.keyboard.press('N');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/ui\/s\/39877941-[^#]*\?q=half#m-90ae/);
  expect(await page.evaluate(() => 'touched' in window)).toBe(false);
});

test('the help shows the keys that act here @short', async ({ page, demo }) => {
  await enter(page, demo);
  await page.keyboard.press('2');
  await expect(page.getByRole('treegrid')).toBeVisible();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys' });
  for (const b of table) {
    if (b.action === 'trash') await expect(help).toContainText(b.text);
    if (b.action === 'pause') await expect(help).not.toContainText(b.text);
  }
  await shoot(page, 'help');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
});

test('U8: find, open, branch, compare, tag, throw away and undo by keys alone', async ({
  page,
}) => {
  test.skip(missing !== '', missing);
  const server = await serve(makeBranches);
  const { id } = fixtures['edit'] ?? { id: '' };
  try {
    await page.addInitScript(() => {
      for (const kind of ['mousedown', 'pointerdown', 'touchstart'])
        addEventListener(kind, () => ((window as unknown as { touched: boolean }).touched = true));
    });
    await enter(page, server);
    // Find.
    await page.keyboard.press('7');
    await expect(page.getByLabel('Search all sessions')).toBeFocused();
    await page.keyboard.type('"answer c"');
    await expect(page.getByText('complete')).toBeVisible();
    await expect(page.locator('a.hit')).toHaveCount(1);
    await page.keyboard.press('ArrowDown');
    await seen(page);
    // Open.
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/ui/s/${id}`));
    const text = page.locator('[role=feed]');
    await expect(text).toContainText('answer c');
    await seen(page);
    // Branch.
    await page.keyboard.press('K');
    await seen(page);
    await page.keyboard.press('[');
    await expect(text).toContainText('answer b');
    await seen(page);
    // Compare.
    await page.keyboard.press('b');
    await expect(page.getByRole('treeitem')).toHaveCount(3);
    await seen(page);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await seen(page);
    await expect(page.getByText('Two conversations picked')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/compare/);
    await expect(page.locator('.cell').filter({ hasText: 'answer b' })).toBeVisible();
    await expect(page.locator('.cell').filter({ hasText: 'answer c' })).toBeVisible();
    // Tag.
    await page.keyboard.press('2');
    await settled(page);
    await expect(page.locator('[role=row].here')).toBeFocused();
    await page.keyboard.press('j');
    await seen(page);
    const row = page.locator('[role=row].here');
    await page.keyboard.press('#');
    await expect(page.getByRole('dialog')).toBeVisible();
    await seen(page);
    await page.keyboard.type('later');
    await page.keyboard.press('Enter');
    await expect(row).toContainText('#later');
    await seen(page);
    // Throw away, and undo.
    const many = await page.locator('h1').innerText();
    await page.keyboard.press('d');
    await page.keyboard.press('d');
    await expect(page.locator('h1')).not.toHaveText(many);
    await page.keyboard.press('u');
    await expect(page.locator('h1')).toHaveText(many);
    await expect(page.getByRole('treegrid')).toContainText('#later');
    await seen(page);
    expect(await page.evaluate(() => 'touched' in window)).toBe(false);
  } finally {
    await page.goto('about:blank');
    await server.stop();
  }
});
