// What is handed over, as whoever gets it sees it: the largest session of the real client as a
// page, and a folder of pages as a site; at three widths, on paper, and without script.

import { cp, mkdir, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { serve } from './server';
import { expect, shoot, test, violations } from './world';

const looks = [
  [1440, 'light'],
  [820, 'dark'],
  [360, 'light'],
] as const;

/** overflow is by how much a page is wider than its window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** unfold opens every fold of a page. */
const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));

/** watched lists what a page complains of, and its requests beside those for files of pages. */
function watched(page: Page): string[] {
  const list: string[] = [];
  page.on('console', (m) => m.type() === 'error' && list.push(m.text()));
  page.on('pageerror', (err) => list.push(String(err)));
  page.on('request', (r) => {
    if (!r.url().startsWith('file://') || r.resourceType() !== 'document') list.push(r.url());
  });
  return list;
}

/** looked opens a page at three widths and on paper: nothing is loaded, nothing is wider than
 * the window, and axe finds nothing. */
async function looked(browser: Browser, url: string, name: string): Promise<void> {
  for (const [width, colorScheme] of looks) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const bad = watched(page);
    await page.goto(url);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await shoot(page, `${name}-${String(width)}`);
    await unfold(page);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(bad).toEqual([]);
    await page.close();
  }
  const page = await browser.newPage({ viewport: { width: 794, height: 1123 } }); // A4
  await page.goto(url);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(page.locator('details:not([open])')).toHaveCount(0);
  expect(await overflow(page)).toBe(0);
  await shoot(page, `${name}-paper`);
  await page.close();
}

/** words are those of the main part of a page, with every fold open. */
async function words(browser: Browser, url: string, javaScriptEnabled: boolean): Promise<string> {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(url);
  const text = (await page.locator('main').textContent()) ?? '';
  await context.close();
  return text.replace(/\s+/g, ' ');
}

/** largest is the session of the real client with the most bytes, and its home. */
async function largest(corpus: string): Promise<{ home: string; id: string }> {
  let found = { home: '', id: '', size: 0 };
  for (const scenario of await readdir(corpus)) {
    const home = join(corpus, scenario, '.claude');
    const files = await readdir(join(home, 'projects'), { recursive: true }).catch(() => []);
    for (const file of files.filter((f) => /^[^/]+\/[0-9a-f-]{36}\.jsonl$/.test(f))) {
      const { size } = await stat(join(home, 'projects', file));
      if (size > found.size) found = { home, id: basename(file, '.jsonl'), size };
    }
  }
  return found;
}

test('the largest session of the real client is read everywhere @short', async ({ browser }) => {
  const shared = process.env['SESSKEEP_SHARED'];
  test.skip(!shared, 'SESSKEEP_SHARED has the sessions of the real client');
  const { home, id } = await largest(join(shared ?? '', 'corpus', 'real-client'));
  const server = await serve((claude) => cp(home, claude, { recursive: true }));
  try {
    const file = join(await mkdtemp(join(tmpdir(), 'sesskeep-real-')), 'session.html');
    await server.command('export', id, '-o', file, '--agents', '--all-conversations');
    const url = pathToFileURL(file).href;
    await looked(browser, url, 'handed-over-real');
    const read = await words(browser, url, true);
    expect(read.length).toBeGreaterThan(1000);
    expect(await words(browser, url, false)).toBe(read);
  } finally {
    await server.stop();
  }
});

test('a site is read everywhere @short', async ({ browser, demo }) => {
  const dir = join(await mkdtemp(join(tmpdir(), 'sesskeep-site-')), 'site');
  await demo.command('export', '--into', dir, '--to', 'html', '--all');
  const url = pathToFileURL(join(dir, 'index.html')).href;
  await looked(browser, url, 'handed-over-site');

  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  await expect(page.getByLabel('Search in all sessions')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Cost by project' })).toBeVisible();
  const links = page.locator('#sessions').getByRole('link');
  expect(await links.count()).toBeGreaterThan(5);
  for (const href of await links.evaluateAll((all) =>
    all.map((a) => (a as HTMLAnchorElement).href),
  )) {
    await page.goto(href);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await context.close();
});

// What a message can hold to leave its place: script, handlers of events, links that are
// programs, pictures that load, signs that turn the text around.
const attacks = [
  '<script>parent.hit = top.hit = window.hit = 1</script>',
  '</title></style></script></textarea><script>window.hit = 2</script>',
  '<img src=x onerror="window.hit=3"><img src="http://127.0.0.1:9/pixel.png">',
  '"><svg onload="window.hit=4"><use href="http://127.0.0.1:9/#x"/></svg>',
  '<iframe srcdoc="<script>top.hit=5</script>"></iframe><object data="http://127.0.0.1:9/o"></object>',
  '<base href="http://127.0.0.1:9/"><meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/r">',
  '[a](javascript:window.hit=6) [b](JaVaScRiPt:window.hit=7) [c](  java\tscript:window.hit=8) ![d](javascript:window.hit=9)',
  '[e](data:text/html,<script>window.hit=10</script>) [f](vbscript:x) <javascript:window.hit=11> ![g](http://127.0.0.1:9/g.png)',
  '[h](https://example.com/"onmouseover="window.hit=12) <https://example.com/"onclick="window.hit=13>',
  '```"><script>window.hit=14</script>\n</code></pre><script>window.hit=15</script>\n```',
  `| a | <b onclick=window.hit=16> |\n|---|---|\n| \`<script>window.hit=17</script>\` | x |`,
  '\u202egnp.exe\u2066\u0000\u001b]52;c;aGl0\u0007\u2028<style>*{background:url(http://127.0.0.1:9/s)}</style>',
  'x'.repeat(30_000),
];

/** attacked fills a home with a session of nothing but attacks, in every place of a message. */
async function attacked(claude: string): Promise<void> {
  const dir = join(claude, 'projects', '-home-eve');
  await mkdir(dir, { recursive: true });
  const session = '66666666-0000-4000-8000-000000000000';
  const picture = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hit=18"><script>parent.hit=19</script><image href="http://127.0.0.1:9/i"/></svg>',
  ).toString('base64');
  const source = (media_type: string): object => ({ type: 'base64', media_type, data: picture });
  const lines: object[] = [];
  const add = (type: string, content: unknown, more: object = {}): void => {
    const n = lines.length;
    lines.push({
      type,
      uuid: `77777777-0000-4000-8000-${String(n).padStart(12, '0')}`,
      parentUuid: n === 0 ? null : `77777777-0000-4000-8000-${String(n - 1).padStart(12, '0')}`,
      sessionId: session,
      cwd: '/home/eve/<script>window.hit=20</script>',
      gitBranch: '"><script>window.hit=21</script>',
      version: '2.1.0',
      isSidechain: false,
      timestamp: new Date(Date.UTC(2026, 10, 14, 10, 0, n)).toISOString(),
      message: {
        id: `m${String(n)}`,
        role: type,
        model: '<script>window.hit=22</script>',
        content,
      },
      ...more,
    });
  };
  for (const [i, attack] of attacks.entries()) {
    const id = `t${String(i)}"><script>window.hit=23</script>`;
    add('user', attack);
    add('assistant', [
      { type: 'thinking', thinking: attack, signature: 's' },
      { type: 'text', text: attack },
      {
        type: 'tool_use',
        id,
        name: i % 2 ? 'Edit' : attack,
        input: { file_path: attack, old_string: attack, new_string: 'b', [attack]: attack },
      },
    ]);
    add(
      'user',
      [
        {
          type: 'tool_result',
          tool_use_id: id,
          is_error: i % 3 === 0,
          content: [
            { type: 'text', text: attack },
            { type: 'image', source: source('image/svg+xml') },
            { type: 'image', source: source('image/png" onerror="window.hit=24') },
            { type: 'image', source: { type: 'url', url: 'http://127.0.0.1:9/u.png' } },
          ],
        },
      ],
      {
        toolUseResult: {
          stdout: attack,
          structuredPatch: [
            {
              oldStart: 1,
              oldLines: 1,
              newStart: 1,
              newLines: 1,
              lines: [`-${attack}`, `+${attack}`],
            },
          ],
        },
      },
    );
  }
  await writeFile(
    join(dir, `${session}.jsonl`),
    lines.map((l) => JSON.stringify(l) + '\n').join(''),
  );
}

test('what a session holds stays text in its page, site and link @short', async ({ browser }) => {
  const server = await serve(attacked, { args: () => ['--share-links'] });
  const context = await browser.newContext();
  try {
    const dir = await mkdtemp(join(tmpdir(), 'sesskeep-hostile-'));
    await server.command('export', '66666666', '-o', join(dir, 'page.html'), '--replay');
    await server.command('export', '--into', join(dir, 'site'), '--to', 'html', '--all');
    const link = JSON.parse(await server.command('share', '66666666', '--link', '--json')) as {
      url: string;
    };
    for (const url of [
      pathToFileURL(join(dir, 'page.html')).href,
      pathToFileURL(join(dir, 'site', 'index.html')).href,
      link.url,
    ]) {
      const page = await context.newPage();
      const bad: string[] = [];
      page.on('console', (m) => m.type() === 'error' && bad.push(m.text()));
      page.on(
        'request',
        (r) => r.url() !== url && !r.url().startsWith('data:') && bad.push(r.url()),
      );
      page.on('dialog', (d) => void (bad.push(d.message()), d.dismiss()));
      await page.goto(url);
      await unfold(page);
      expect(await overflow(page)).toBe(0);
      // Each link that does not lead out of the page is followed, and each thing clicked.
      const found = await page.evaluate(() => {
        const all = [...document.querySelectorAll('*')];
        for (const a of document.querySelectorAll<HTMLElement>(
          'main a[href^="#"], main summary, main img',
        ))
          a.click();
        return {
          handlers: all.filter((e) => e.getAttributeNames().some((n) => n.startsWith('on'))).length,
          strange: all.filter((e) =>
            /^(iframe|object|embed|base|link|svg|use|frame)$/i.test(e.tagName),
          ).length,
          scripts: [...document.scripts].filter((s) => s.type !== 'application/json').length,
          links: [...document.links].map((a) => a.protocol),
          images: [...document.images].map((i) => i.src.slice(0, 11)),
          hit: (window as { hit?: number }).hit,
        };
      });
      expect(found.hit).toBeUndefined();
      expect(found.handlers + found.strange).toBe(0);
      expect(found.scripts).toBe(1);
      expect(found.links.filter((p) => !/^(https?|mailto|file|blob):$/.test(p))).toEqual([]);
      expect(found.images.filter((src) => src !== 'data:image/')).toEqual([]);
      expect(bad).toEqual([]);
      await page.close();
    }
  } finally {
    await context.close();
    await server.stop();
  }
});
