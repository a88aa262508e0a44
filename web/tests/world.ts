// What every test of the dashboard has: a server on the demo home, a browser that
// is logged in, and an end that fails on what must never happen.

import { test as base, expect, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { missing } from './browser';
import { serve, type Server } from './server';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Shared {
  /** demo is for tests that change nothing; a worker has one. */
  demo: Server;
}

interface Own {
  /** killed says that the test kills its server: then connections break. */
  killed: boolean;
  /** own is a server that the test alone has. */
  own: Server;
}

const broken = /net::ERR_(INCOMPLETE_CHUNKED_ENCODING|CONNECTION_(REFUSED|RESET))/;

export const test = base.extend<Own, Shared>({
  killed: [false, { option: true }],
  demo: [
    // eslint-disable-next-line no-empty-pattern -- Playwright wants it
    async ({}, use) => {
      test.skip(missing !== '', missing);
      const server = await serve();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  own: async ({ page }, use) => {
    test.skip(missing !== '', missing);
    const server = await serve();
    await use(server);
    await page.close(); // or it would find the server gone
    await server.stop();
  },
  page: async ({ page, killed }, use) => {
    const bad: string[] = [];
    page.on('console', (m) => {
      if (m.type() !== 'error' || /status of (4|5)\d\d/.test(m.text())) return;
      if (!killed || !broken.test(m.text())) bad.push(m.text());
    });
    page.on('pageerror', (err) => bad.push(String(err)));
    page.on('dialog', (d) => {
      bad.push(`a dialog: ${d.message()}`);
      void d.dismiss();
    });
    page.on('request', (r) => {
      const { hostname, protocol } = new URL(r.url());
      if (protocol !== 'blob:' && hostname !== '127.0.0.1')
        bad.push(`a foreign request: ${r.url()}`);
    });
    await use(page);
    expect(bad, 'errors, dialogs and foreign requests').toEqual([]);
  },
});

export { expect };

/** enter logs in as "sesskeep ui" does, by a code that is good once. */
export async function enter(page: Page, server: Server): Promise<void> {
  const url = (await server.command('ui', '--print')).trim();
  await page.goto(url);
  await expect(page.locator('#main')).toBeVisible();
}

/** open shows a page of the dashboard and waits until it has what it asked for. */
export async function open(page: Page, server: Server, path: string): Promise<void> {
  await page.goto(`${server.url}/ui${path}`);
  await settled(page);
}

/** settled waits until nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('main > *').first()).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

/** violations are what axe finds, in few words. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    interface Axe {
      run: (o: object) => Promise<{
        violations: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[];
      }>;
    }
    const { axe } = window as unknown as { axe: Axe };
    const found = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return found.violations.flatMap((v) =>
      v.nodes.slice(0, 3).map((n) => `${v.id}: ${n.target.join(' ')} ${n.failureSummary ?? ''}`),
    );
  });
}

export async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `shots/${name}.png` });
}

/** api asks the server as the page would. */
export async function api<T>(page: Page, path: string, method = 'GET', body?: unknown): Promise<T> {
  return page.evaluate(
    async ([p, m, b]) => {
      const answer = await fetch(`/api/v1${p}`, {
        method: m as string,
        headers: {
          Authorization: `Bearer ${localStorage.getItem('sesskeep.token')}`,
          ...(b === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(b === undefined ? {} : { body: JSON.stringify(b) }),
      });
      if (!answer.ok) throw new Error(`${m} ${p}: ${answer.status} ${await answer.text()}`);
      return answer.json() as unknown;
    },
    [path, method, body] as const,
  ) as Promise<T>;
}
