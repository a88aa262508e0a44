// What was used: charts that keys reach, tables that say the same, and chips.

import { readFile } from 'node:fs/promises';
import { enter, expect, open, shoot, test } from './world';

test('usage narrows by what is clicked, and back @short', async ({ page, demo }) => {
  await enter(page, demo);
  await open(page, demo, '/usage');
  await expect(page.getByText(/is 135 answers,/)).toBeVisible();
  await page.getByRole('button', { name: /^parser \$/ }).click();
  await expect(page).toHaveURL(/project=parser-/);
  await expect(page.getByRole('list', { name: 'Narrowed to' })).toContainText('project: parser');
  await expect(page.getByText(/is 135 answers,/)).toHaveCount(0);
  await shoot(page, 'usage-narrow');
  await page.goBack();
  await expect(page.getByText(/is 135 answers,/)).toBeVisible();
});

test('keys go from column to column and choose a day @short', async ({ page, demo }) => {
  await enter(page, demo);
  await open(page, demo, '/usage');
  const bars = page.getByRole('group', { name: /^Columns/ }).getByRole('button');
  await expect(bars).toHaveCount(30);
  await bars.last().focus();
  await page.keyboard.press('ArrowLeft');
  await expect(bars.nth(28)).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/day=\d{4}-\d{2}-\d{2}/);
  await expect(bars.last()).toHaveAttribute('aria-pressed', 'true');
});

test('chart, table and CSV say the same @short', async ({ page, demo }) => {
  await enter(page, demo);
  await open(page, demo, '/usage?by=model');
  const whole = await page
    .getByRole('group', { name: /^Columns/ })
    .getByRole('button')
    .last()
    .getAttribute('aria-label');
  await page.getByRole('button', { name: 'As table' }).click();
  const row = page.getByRole('region', { name: 'Cost per day' }).getByRole('row').nth(1);
  const sum = (await row.getByRole('cell').last().textContent()) ?? '';
  expect(whole).toContain(`: ${sum} (`);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  expect(text.split('\r\n')[0]).toContain('group,usd,input');
  const last = Number(text.trim().split('\r\n').at(-1)?.split(',')[1]);
  expect(`$${last.toFixed(2)}`).toBe(sum);
});
