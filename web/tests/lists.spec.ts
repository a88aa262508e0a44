// Lists: what is counted is what is listed, what is selected is what is changed,
// and the address is the state.

import type { Page } from '@playwright/test';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chance, pick } from './chance';
import { flaky } from './demo';
import { still, wheel } from './feed';
import { api, enter, expect, open, settled, shoot, test } from './world';

interface Counted {
  total: number;
  hidden: Record<string, number>;
  sessions: { id: string }[];
  next?: string;
}

/** listed are the ids of all rows, as someone sees them who scrolls to the end. */
async function listed(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const seen = new Set<string>();
    const scroller = document.querySelector('[role=rowgroup]');
    if (!scroller) return [];
    scroller.scrollTop = 0;
    for (let still = 0; still < 3;) {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60)));
      const before = seen.size;
      for (const row of scroller.querySelectorAll<HTMLElement>('[data-id]'))
        seen.add(row.dataset['id'] ?? '');
      still = seen.size === before ? still + 1 : 0;
      scroller.scrollTop += scroller.clientHeight;
    }
    return [...seen];
  });
}

const filters: [name: string, values: readonly string[]][] = [
  ['source', ['user', 'agent', 'helper', 'all', 'user,helper']],
  ['state', ['ended', 'working', 'needs you', 'idle,unclean']],
  ['started', ['person', 'program']],
  ['branch', ['main', 'perf/search', 'nowhere']],
  ['model', ['opus', 'sonnet', 'haiku']],
  ['from', ['2026-11-01', '2020-01-01']],
  ['min', ['1', '20000', '100000']],
  ['archived', ['yes', 'only']],
  ['has', ['agents', 'branches']],
  ['sort', ['title', '-size', 'created']],
];

test('what is counted is what is listed', async ({ page, demo }) => {
  test.setTimeout(300_000);
  await enter(page, demo);
  const next = chance(7);
  let some = 0;
  for (let i = 0; i < 30; i++) {
    const query = new URLSearchParams();
    for (const [name, values] of filters) if (next() < 0.25) query.set(name, pick(next, values));
    await open(page, demo, `/sessions?${query.toString()}`);
    const said = Number((await page.locator('h1').innerText()).replace(/\D+/g, ''));
    const rows = await listed(page);
    expect(rows.length, query.toString()).toBe(said);
    expect(new Set(rows).size).toBe(rows.length);
    if (said > 0) some++;
    // What is hidden and what is listed are all there are.
    const now = new URLSearchParams(query);
    for (const [ours, theirs] of [
      ['branch', 'gitBranch'],
      ['from', 'since'],
      ['min', 'minSize'],
    ] as const) {
      if (now.has(ours)) now.set(theirs, now.get(ours) ?? '');
      now.delete(ours);
    }
    if (now.get('archived') === 'only') now.set('archivedOnly', 'true');
    else if (now.has('archived')) now.set('includeArchived', 'true');
    now.delete('archived');
    const count = await api<Counted>(page, `/sessions?${now.toString()}&limit=1`);
    expect(count.total).toBe(said);
    now.set('source', 'all');
    if (!now.has('archivedOnly')) now.set('includeArchived', 'true');
    const all = await api<Counted>(page, `/sessions?${now.toString()}&limit=1`);
    const hidden = Object.values(count.hidden).reduce((a, b) => a + b, 0);
    expect(said + hidden, query.toString()).toBe(all.total);
  }
  expect(some).toBeGreaterThan(8); // or nothing was tried
});

test('a facet counts what it lists', async ({ page, demo }) => {
  await enter(page, demo);
  await open(page, demo, '/sessions');
  const labels = page.getByRole('complementary', { name: 'Filters' }).locator('label');
  await expect(labels.first()).toBeVisible();
  const many = await labels.count();
  expect(many).toBeGreaterThan(10);
  for (let i = 0; i < many; i += 3) {
    await open(page, demo, '/sessions');
    const label = labels.nth(i);
    await expect(label).toBeVisible();
    const [text, box] = [await label.innerText(), label.locator('input')];
    if (await box.isChecked()) continue;
    const count = Number(/(\d[\d,]*)\s*$/.exec(text)?.[1]?.replace(',', ''));
    const source = /^(agent|helper)\s/.test(text);
    await box.click();
    await expect(page.locator('h1')).toHaveText(
      new RegExp(`^${source ? count + 24 : count} sessions?$`), // beside those of users
    );
  }
});

/** titles are those of the selected rows. */
async function select(page: Page, rows: number[]): Promise<void> {
  for (const i of rows) await page.locator(`[data-index="${i}"] input[type=checkbox]`).click();
}

test('what is archived together is taken back together @short', async ({ page, own }) => {
  await enter(page, own);
  await open(page, own, '/sessions');
  await expect(page.locator('h1')).toHaveText('24 sessions');
  await select(page, [5, 7, 8]);
  const bulk = page.getByRole('region', { name: 'Selected sessions' });
  await expect(bulk).toContainText('3 selected');
  await expect(bulk.getByRole('status')).toContainText('3 sessions and 2 agents,');
  await shoot(page, 'sessions-bulk');
  await bulk.getByRole('button', { name: /^Archive/ }).click();
  await expect(page.locator('h1')).toHaveText('21 sessions');
  await expect(
    page.getByText('20 agents, 2 helpers and 5 archived sessions hidden').first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('h1')).toHaveText('24 sessions');
});

test('all that match are selected, archived and taken back', async ({ page, own }) => {
  await enter(page, own);
  await open(page, own, '/sessions?state=ended');
  await expect(page.locator('h1')).toHaveText('18 sessions');
  await select(page, [0]);
  await page.getByRole('button', { name: 'all 18' }).click();
  await expect(page.getByText('18 selected')).toBeVisible();
  await page.getByRole('button', { name: /^Archive/ }).click();
  await expect(page.getByText('No sessions match.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('h1')).toHaveText('18 sessions');
});

test('what cannot be done is said before and after', async ({ page, own }) => {
  await enter(page, own);
  await open(page, own, '/sessions?source=agent');
  await select(page, [0, 1]);
  const bulk = page.getByRole('region', { name: 'Selected sessions' });
  await expect(bulk.getByRole('status')).toContainText('Trash would skip all of them');
  await bulk.getByRole('button', { name: /^Trash/ }).click();
  await expect(page.getByText(/None of 2 sessions\. An agent goes with its session/)).toBeVisible();
  await expect(page.locator('h1')).toHaveText('24 sessions');
});

test('a change in between is not what is taken back', async ({ page, own }) => {
  await enter(page, own);
  await open(page, own, '/sessions');
  await select(page, [5]);
  await page.getByRole('button', { name: /^Archive/ }).click();
  await expect(page.locator('h1')).toHaveText('21 sessions');
  const first = (await api<Counted>(page, '/sessions?limit=3')).sessions[2]?.id ?? '';
  await api(page, `/sessions/${first}`, 'PUT', { starred: true });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('h1')).toHaveText('24 sessions');
  expect(await api<{ starred?: boolean }>(page, `/sessions/${first}`)).toMatchObject({
    starred: true,
  });
});

test('the table sorts and is saved as a file', async ({ page, demo }) => {
  await enter(page, demo);
  await open(page, demo, '/sessions?view=table');
  await page.getByRole('button', { name: 'Size' }).click();
  await expect(page).toHaveURL(/sort=size/);
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const file = await waiting;
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(25);
});

/** facts is what Back has to restore. */
async function facts(page: Page, message?: string): Promise<string> {
  await settled(page);
  return page.evaluate((wanted) => {
    /** anchor is the message that was read, and whether it is on the screen. */
    const anchor = (): string => {
      const id = wanted ?? ((history.state ?? {}) as { anchor?: string }).anchor;
      const row = id && document.querySelector(`[data-key^="${CSS.escape(id)}"]`);
      if (!row) return id ?? '';
      const { top, bottom } = row.getBoundingClientRect();
      return `${id} ${bottom > 0 && top < innerHeight ? 'on the screen' : 'away'}`;
    };
    return [
      location.pathname + location.search + location.hash,
      document.querySelector('h1')?.textContent?.trim(),
      document.querySelector('[role=row].here')?.getAttribute('data-id') ?? '',
      [...document.querySelectorAll('[role=row][data-id]')].length,
      anchor(),
    ].join(' | ');
  }, message);
}

test('U17: Back and Forward over many places restore each of them', async ({ page, demo }) => {
  test.setTimeout(180_000);
  await enter(page, demo);
  const places = [
    '/sessions',
    '/sessions?state=ended',
    '/sessions?state=ended&branch=main',
    '/sessions?source=all',
    '/sessions?source=agent&sort=title',
    '/p/-home-ada-src-parser',
    '/p/-home-ada-src-shop-api?sort=-size',
    '/projects',
    '/projects?q=ci',
    '/search?q=half',
    '/search?q=half&in=thinking',
    '/search?q=half&sort=newest',
    '/search?q=race&project=-home-ada-src-parser',
    '/sessions?view=table',
    '/sessions?view=table&sort=title',
    '/sessions?q=half',
    '/sessions?model=opus&preview=0',
    '/',
    '/sessions?min=50000',
    '/sessions?started=person',
    `/s/${flaky}`,
    `/s/${flaky}?thinking=full`,
    `/s/${flaky}?view=everything&tab=branches`,
    `/s/${flaky}/tree`,
    '/usage?by=project&range=all',
    '/live?panes=2',
  ];
  const want: string[] = [];
  const read = (i: number): string | undefined =>
    / \| (\S+) on the screen$/.exec(want[i] ?? '')?.[1];
  await open(page, demo, '/projects');
  for (const place of places) {
    // As a link does it: no new document.
    await page.evaluate((to) => {
      const link = document.createElement('a');
      link.href = `/ui${to}`;
      document.body.append(link);
      link.click();
      link.remove();
    }, place);
    await settled(page);
    if (place.startsWith('/sessions') || place.startsWith('/p/')) {
      await expect(page.locator('[role=row][data-id]').first()).toBeVisible();
      await page.keyboard.press('j'); // the row is a part of the place
      await page.keyboard.press('j');
    }
    if (/^\/s\/[^/]*$/.test(place)) {
      await still(page);
      await wheel(page, -400);
      await still(page);
      await expect.poll(() => facts(page)).toContain('on the screen');
    }
    want.push(await facts(page));
  }
  for (let i = places.length - 2; i >= 0; i--) {
    await page.goBack();
    await expect.poll(() => facts(page, read(i)), { message: places[i] ?? '' }).toBe(want[i]);
  }
  for (let i = 1; i < places.length; i++) {
    await page.goForward();
    await expect.poll(() => facts(page, read(i)), { message: places[i] ?? '' }).toBe(want[i]);
  }
});

test('what happens elsewhere comes by itself', async ({ page, own }) => {
  await enter(page, own);
  await open(page, own, '/sessions');
  await expect(page.getByText('Docs sweep').first()).toBeVisible();
  const id = '4861f75c-43ac-4643-a394-c10567bee021';
  const file = join(
    own.home,
    '.cache/sesskeep/demo/home/projects/-home-ada-src-parser',
    `${id}.jsonl`,
  );
  const line = { type: 'custom-title', customTitle: 'Swept', sessionId: id };
  await appendFile(file, JSON.stringify(line) + '\n');
  await expect(page.getByRole('treegrid')).toContainText('Swept');
});
