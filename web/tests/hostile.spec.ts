// Content is never HTML: a home in which every text tries to be.

import { mkdir, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { dirname, join } from 'node:path';
import { fakeClient, serve } from './server';
import { missing } from './browser';
import { api, enter, expect, open, shoot, test } from './world';

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(2)>',
  '<img src="https://evil.example/pixel.png">',
  '"><svg onload=alert(3)>',
  "'><iframe srcdoc='<script>alert(4)</script>'></iframe>",
  '<a href="javascript:alert(5)">x</a>',
  '[x](javascript:alert(6)) ![y](https://evil.example/y.png)',
  '{@html "<b>x</b>"} {{constructor.constructor("alert(7)")()}} ${alert(8)}',
  '</title></textarea></style></noscript><script>alert(9)</script>',
  '<style>@import "https://evil.example/x.css";*{display:none}</style>',
  '<base href="https://evil.example/"><meta http-equiv=refresh content="0;url=https://evil.example">',
  '\u202egnp.exe\u0000\u001b]52;c;YWxlcnQ=\u0007 <math><mtext></form><mglyph><style></math><img src onerror=alert(10)>',
];

const uuid = (kind: number, n: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;

async function hostile(claude: string): Promise<void> {
  for (const [i, attack] of attacks.entries()) {
    const cwd = `/home/eve/${attack.replaceAll('/', '∕').replaceAll('\u0000', '')}`;
    const dir = join(claude, 'projects', `-home-eve-${i}`);
    await mkdir(dir, { recursive: true });
    const id = uuid(1, i);
    const base = {
      cwd,
      sessionId: id,
      version: '2.1.0',
      gitBranch: attack,
      isSidechain: false,
      userType: 'external',
    };
    const at = (s: number): string => new Date(Date.UTC(2026, 10, 14, 10, i, s)).toISOString();
    const lines: unknown[] = [
      {
        ...base,
        type: 'user',
        uuid: uuid(2, i),
        parentUuid: null,
        timestamp: at(1),
        message: { role: 'user', content: `needle ${attack}` },
      },
      {
        ...base,
        type: 'assistant',
        uuid: uuid(3, i),
        parentUuid: uuid(2, i),
        timestamp: at(2),
        requestId: `r${i}`,
        message: {
          id: `msg_${i}`,
          type: 'message',
          role: 'assistant',
          model: attack,
          content: [
            { type: 'thinking', thinking: `needle ${attack}`, signature: '' },
            { type: 'text', text: `needle ${attack}` },
            {
              type: 'tool_use',
              id: `toolu_${i}`,
              name: attack,
              input: { command: `needle ${attack}`, description: attack },
            },
          ],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      {
        ...base,
        type: 'user',
        uuid: uuid(4, i),
        parentUuid: uuid(3, i),
        timestamp: at(3),
        message: {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: `toolu_${i}`,
              content: `needle ${attack}`,
              is_error: true,
            },
          ],
        },
        toolUseResult: { stdout: `needle ${attack}`, stderr: attack },
      },
      { type: 'custom-title', customTitle: attack, sessionId: id },
      { type: 'tag', tag: attack.slice(0, 40), sessionId: id },
    ];
    await writeFile(
      join(dir, `${id}.jsonl`),
      lines.map((l) => JSON.stringify(l)).join('\n') + '\n',
    );
  }
}

/** onlyText asserts that no content created an element on the page. */
async function onlyText(page: Page, place: string): Promise<void> {
  const found = await page.evaluate(() => ({
    scripts: [...document.scripts].filter((s) => !s.src.startsWith(location.origin)).length,
    frames: document.querySelectorAll('iframe, object, embed, base, meta[http-equiv]').length,
    images: [...document.images].filter(
      (i) => !i.src.startsWith(location.origin) && !i.src.startsWith('blob:'),
    ).length,
    links: [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
      (a) => !/^https?:$/.test(a.protocol),
    ).length,
    styles: document.querySelectorAll('body style').length,
    handlers: document.querySelectorAll('[onerror], [onload], [onfocus], [onclick]').length,
    // What turns the direction of writing, in text and in what is said of it.
    turned: [...document.querySelectorAll('*')].flatMap((e) =>
      [
        ...[...e.childNodes]
          .filter((n) => n.nodeType === Node.TEXT_NODE)
          .map((n) => n.nodeValue ?? ''),
        ...['title', 'aria-label', 'placeholder', 'alt'].map((a) => e.getAttribute(a) ?? ''),
      ]
        .filter((text) => /[\u202a-\u202e\u2066-\u2069]/.test(text))
        .map((text) => `${e.tagName}.${e.className}: ${text}`),
    ),
  }));
  const none = { scripts: 0, frames: 0, images: 0, links: 0, styles: 0, handlers: 0, turned: [] };
  expect(found, place).toEqual(none);
}

/** named writes every attack where people write: in a note, a tag and a title. */
async function named(page: Page): Promise<void> {
  for (const [i, attack] of attacks.entries()) {
    const at = `/sessions/${uuid(1, i)}`;
    await api(page, at, 'PUT', { note: attack.replaceAll('\u0000', '') });
    // A tag has no quotes and no comma.
    const tag = attack.replaceAll(/["',\p{Cc}\u202e]/gu, '').slice(0, 60);
    await api(page, at, 'PUT', { tags: [tag] });
  }
}

test('a hostile home is only text, everywhere', async ({ page }) => {
  test.skip(missing !== '', missing);
  test.setTimeout(300_000);
  const server = await serve(hostile);
  try {
    await enter(page, server);
    await named(page);
    await server.command('session', 'archive', '--force', uuid(1, 1));
    await server.command('session', 'trash', '--force', uuid(1, 2));
    const first = uuid(1, 0);
    const places = [
      '/',
      '/projects',
      '/sessions',
      '/sessions?view=table',
      '/sessions?q=needle',
      '/search?q=needle',
      '/search?q=%3Cscript%3E',
      `/search?q=needle&branch=${encodeURIComponent(attacks[1] ?? '')}`,
      `/sessions?tag=${encodeURIComponent(attacks[1] ?? '')}&state=${encodeURIComponent(attacks[0] ?? '')}`,
      `/p/${encodeURIComponent(attacks[0] ?? '')}`,
      '/p/-home-eve-1',
      `/s/${first}`,
      `/s/${first}/tree`,
      `/s/${first}/files`,
      `/s/${first}/usage`,
      `/s/${first}/raw`,
      '/usage',
      '/usage?by=project&table=1',
      '/live',
      `/live?watch=${uuid(1, 0)},${uuid(1, 3)}`,
      '/archive',
      '/trash',
      '/kept',
      '/storage',
      '/activity',
      '/doctor',
    ];
    for (const place of places) {
      await open(page, server, place);
      if (place.startsWith('/sessions') && !place.includes('tag=')) {
        // Each of them, in the list and in the preview.
        await expect(page.locator('[role=row][data-id]').first()).toBeVisible();
        for (let i = 0; i < attacks.length; i++) await page.keyboard.press('j');
      }
      await shoot(page, `hostile${place.split('?')[0]?.replaceAll('/', '-') ?? ''}`);
      await onlyText(page, place);
    }
    // They are there to be read.
    await open(page, server, '/sessions');
    await expect(page.getByRole('treegrid')).toContainText('<script>alert(1)</script>');
    await open(page, server, '/archive');
    await expect(page.locator('main')).toContainText('<img src=x onerror=alert(2)>');
    await open(page, server, '/trash');
    await expect(page.locator('main')).toContainText('evil.example/pixel.png');
  } finally {
    await page.goto('about:blank');
    await server.stop();
  }
});

test('menus and dialogs about a hostile session are only text', async ({ page }) => {
  test.skip(missing !== '', missing);
  test.setTimeout(300_000);
  const server = await serve(hostile);
  try {
    await enter(page, server);
    await named(page);
    await open(page, server, '/sessions?sort=title');
    await expect(page.locator('[role=row].here')).toBeFocused();
    for (let i = 0; i < attacks.length; i++) {
      const title = (await page.locator('[role=row].here a').first().textContent()) ?? '';
      await page.keyboard.press('.');
      await expect(page.getByRole('menu')).toBeVisible();
      await expect(page.getByRole('dialog')).toContainText(title.trim().slice(0, 12));
      await onlyText(page, `the menu of ${title}`);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menu')).toHaveCount(0);
      for (const [key, kind] of [
        ['#', 'tags'],
        ['r', 'name'],
      ] as const) {
        await page.keyboard.press(key);
        await expect(
          page.locator('[role=dialog] input, dialog input, .edit').first(),
        ).toBeVisible();
        await onlyText(page, `the ${kind} of ${title}`);
        await page.keyboard.press('Escape');
        await expect(page.locator('[role=row].here')).toBeFocused();
      }
      await page.keyboard.press('j');
    }
    await page.keyboard.press('Control+k');
    await page.keyboard.type('alert');
    await expect(page.getByRole('option').first()).toBeVisible();
    await onlyText(page, 'the palette');
    await page.keyboard.press('Escape');
    // What was written as a note is offered as one.
    await page.locator('[role=row][data-id]').first().hover();
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Note…' }).click();
    await expect(page.getByRole('textbox', { name: 'Note' })).not.toBeEmpty();
    await onlyText(page, 'the note');
  } finally {
    await page.goto('about:blank');
    await server.stop();
  }
});

test('what a hostile session asks while it runs is only text', async ({ page }) => {
  test.skip(missing !== '', missing);
  test.setTimeout(300_000);
  const client = await fakeClient();
  // Only what the name of a directory can contain.
  const dirs = attacks.slice(0, 4).map((a) => a.replaceAll('/', '∕').replaceAll('\u0000', ''));
  const server = await serve(
    async (claude) => {
      await mkdir(join(claude, 'projects'), { recursive: true });
      for (const d of dirs) await mkdir(join(dirname(claude), 'work', d), { recursive: true });
    },
    { env: { SESSKEEP_CLAUDE: client }, args: (home) => ['--allow-root', join(home, 'work')] },
  );
  interface Run {
    id: string;
  }
  try {
    await enter(page, server);
    const runs: string[] = [];
    for (const [i, d] of dirs.entries()) {
      const attack = (attacks[i] ?? '').replaceAll(']', ')');
      const run = await api<Run>(page, '/runs', 'POST', {
        cwd: join(server.home, 'work', d),
        prompt: `${attack} [text:${attack}] [tool:echo ${attack}]`,
        purpose: attack,
      });
      runs.push(run.id);
    }
    await expect
      .poll(async () => (await api<{ total: number }>(page, '/inbox')).total)
      .toBe(dirs.length);
    for (const place of ['/inbox', '/runs', ...runs.map((r) => `/runs/${r}`), '/live', '/']) {
      await open(page, server, place);
      await expect(page.locator('main')).toContainText(/alert\(|evil\.example/);
      await shoot(page, `hostile-run${place.replaceAll('/', '-')}`);
      await onlyText(page, place);
    }
    for (const run of runs) await api(page, `/runs/${run}/stop`, 'POST', {});
    await expect
      .poll(async () => (await api<{ runs: Run[] | null }>(page, '/runs?living=true')).runs ?? [])
      .toEqual([]);
  } finally {
    await page.goto('about:blank');
    await server.stop();
  }
});
