// The live wall, and the one link to the server that all tabs share.

import { addRunning, flaky as session, think } from './demo';
import { enter, expect, open, shoot, test } from './world';

test('the wall shows what runs, and what is written as it is written @short', async ({
  page,
  own,
}) => {
  await enter(page, own);
  await open(page, own, '/live');
  const panes = page.getByRole('article');
  await expect(panes).toHaveCount(5);
  await expect(panes.first()).toContainText('needs you');
  await expect(page.getByText(/running \d/)).toBeVisible();
  await shoot(page, 'live-wall');

  await think(own, 'Let me mock the clock, then measure again.');
  await expect(page.getByText('the clock, then measure again.')).toBeVisible();
  await expect(page.getByText('Smells: 1')).toBeVisible();
  await expect(page.locator('mark')).toHaveText('Let me mock');
});

test('keys choose, pause and open panes @short', async ({ page, own }) => {
  await enter(page, own);
  await open(page, own, '/live');
  await page.keyboard.press('4');
  const pane = page.getByRole('article').nth(3);
  await expect(pane).toBeFocused();
  await page.keyboard.press('p');
  await expect(pane).toContainText('paused');
  await think(own, 'Nobody reads this yet.');
  await expect(pane).toContainText('1 new line');
  await expect(pane).not.toContainText('Nobody reads this yet.');
  await page.keyboard.press('p');
  await expect(pane).toContainText('Nobody reads this yet.');
  await page.keyboard.press('o');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`watch=${session}`));
  await page.keyboard.press('o');
  await expect(page.getByRole('article')).toHaveCount(5);
  await page.keyboard.press('4');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/s/${session}`));
});

test('the wall counts all sessions that run and shows them page by page @short', async ({
  page,
  own,
}) => {
  await enter(page, own);
  await addRunning(own, 17);
  await open(page, own, '/live');
  const panes = page.getByRole('article');
  await expect(page.getByText('1–6 of 22')).toBeVisible();
  await expect(page.locator('.counts')).toContainText('18 working');
  await expect(panes).toHaveCount(6);
  await expect(panes.first()).toContainText('needs you');
  await shoot(page, 'live-many');
  await page.getByRole('button', { name: 'Next panes' }).click();
  await expect(page.getByText('7–12 of 22')).toBeVisible();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await expect(page.getByText('19–22 of 22')).toBeVisible();
  await expect(panes).toHaveCount(4);
  await expect(page.locator('.counts')).toContainText('18 working');
  await expect(page.getByRole('button', { name: 'Next panes' })).toBeDisabled();
});

test('several tabs share one link, and another tab takes over when its tab closes', async ({
  page,
  own,
  context,
}) => {
  const links: string[] = [];
  context.on('request', (r) => {
    if (r.url().includes('/events')) links.push(r.headers()['last-event-id'] ?? '');
  });
  await enter(page, own);
  await open(page, own, '/live');
  links.length = 0;
  const second = await context.newPage();
  await second.goto(`${own.url}/ui/live`);
  await expect(second.getByRole('article')).toHaveCount(5);
  await expect(second.getByRole('contentinfo')).toContainText('live');
  expect(links).toHaveLength(0);

  await think(own, 'Both of them are told.');
  await expect(second.getByText('Both of them are told.')).toBeVisible();
  await page.close();
  await expect.poll(() => links.length).toBe(1);
  expect(links[0], 'resumes after the last event that arrived').not.toBe('');
  await think(own, 'Told by the other one.');
  await expect(second.getByText('Told by the other one.')).toBeVisible();
});

test.describe('a server that goes', () => {
  test.use({ killed: true });

  test('without the server pages stay readable, and what needs it is off', async ({
    page,
    own,
  }) => {
    await enter(page, own);
    await open(page, own, '/live');
    const panes = page.getByRole('article');
    await expect(panes).toHaveCount(5);
    await expect(panes.getByRole('group')).toHaveCount(5);
    const said = await panes.allInnerTexts();
    await own.stop();
    await expect(page.getByRole('contentinfo')).toContainText(/reconnecting.*stale since/);
    await expect(page.getByText('This is the last known state')).toBeVisible();
    await expect(panes).toHaveCount(said.length);
    for (const [i, text] of said.entries())
      await expect(panes.nth(i)).toContainText(text.split('\n')[1] ?? '');
  });
});

test('the worker keeps the program and nothing of a session', async ({ page, own, context }) => {
  await enter(page, own);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await open(page, own, '/sessions');
  await open(page, own, '/live');
  const kept = await page.evaluate(async () => {
    const urls: string[] = [];
    for (const name of await caches.keys()) {
      for (const request of await (await caches.open(name)).keys()) urls.push(request.url);
    }
    return urls.map((u) => new URL(u).pathname);
  });
  expect(kept).toContain('/ui/');
  expect(kept.filter((p) => p !== '/ui/' && !p.startsWith('/ui/assets/'))).toEqual([]);

  // Without the server the program still opens, and says how things are.
  await page.goto('about:blank');
  await own.stop();
  const second = await context.newPage();
  await second.goto(`${own.url}/ui/live`);
  await expect(second.getByText('The server is not responding.')).toBeVisible();
});
