// What was used: charts that keys reach, tables that say the same, and chips.

import { readFile } from 'node:fs/promises';
import { enter, expect, open, shoot, test, violations } from './world';

test('usage narrows by what is clicked, and back @short', async ({ page, demo }) => {
  await enter(page, demo);
  await open(page, demo, '/usage');
  const answers = page.getByText(/is \d+ answers,/).first();
  const all = (await answers.innerText()).trim();
  await page.getByRole('button', { name: /^parser \$/ }).click();
  await expect(page).toHaveURL(/project=parser-/);
  await expect(page.getByRole('list', { name: 'Narrowed to' })).toContainText('project: parser');
  await expect(answers).not.toHaveText(all);
  await shoot(page, 'usage-narrow');
  await page.goBack();
  await expect(answers).toHaveText(all);
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

test('the curve of a session is walked by keys and leads to its prompts @short', async ({
  page,
  demo,
}) => {
  await enter(page, demo);
  await open(page, demo, '/s/39877941/usage');
  const prompt = page.getByRole('slider', { name: 'Prompt' });
  await expect(prompt).toHaveAttribute('aria-valuetext', /Prompt 6 of 6/);
  expect(await violations(page)).toEqual([]);
  await prompt.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(prompt).toHaveAttribute('aria-valuetext', /Prompt 5 of 6.*compacted/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/s\/39877941.*#m-/);
});
