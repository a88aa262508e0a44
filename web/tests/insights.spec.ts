// Where the time and the money went: every number leads to the messages behind it.

import { enter, expect, open, shoot, test, violations } from './world';

test('a number of the insights opens its messages @short', async ({ page, demo }) => {
  await enter(page, demo);
  await open(page, demo, '/insights?range=all');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: /Abandoned conversations: show/ }).click();
  const behind = page.getByRole('dialog', { name: 'Abandoned conversations' });
  await expect(behind.getByRole('link')).not.toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'insights-behind');
  await behind.getByRole('link').first().click();
  await expect(page).toHaveURL(/\/s\/[0-9a-f-]+.*#m-/);
});

test('charts of the insights can be walked by keys, and are tables too @short', async ({
  page,
  demo,
}) => {
  await enter(page, demo);
  await open(page, demo, '/insights?range=all');
  const day = page.getByRole('slider', { name: 'Day', exact: true });
  const last = await day.getAttribute('aria-valuetext');
  await day.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(day).not.toHaveAttribute('aria-valuetext', last ?? '');
  await page.getByRole('button', { name: 'as tables' }).click();
  await expect(page.getByRole('region', { name: 'Time by day' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Minutes by weekday and hour' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
