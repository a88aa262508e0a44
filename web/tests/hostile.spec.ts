// Content is never HTML: a home in which every text tries to be.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serve } from './server';
import { missing } from './browser';
import { enter, expect, open, shoot, test } from './world';

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

test('a hostile home is only text, everywhere', async ({ page }) => {
  test.skip(missing !== '', missing);
  test.setTimeout(300_000);
  const server = await serve(hostile);
  try {
    await enter(page, server);
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
      `/s/${first}`,
      `/s/${first}/tree`,
      `/s/${first}/files`,
      `/s/${first}/usage`,
      `/s/${first}/raw`,
      '/usage',
      '/live',
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
      }));
      expect(found, place).toEqual({ scripts: 0, frames: 0, images: 0, links: 0, styles: 0 });
    }
    // They are there to be read.
    await open(page, server, '/sessions');
    await expect(page.getByRole('treegrid')).toContainText('<script>alert(1)</script>');
  } finally {
    await server.stop();
  }
});
