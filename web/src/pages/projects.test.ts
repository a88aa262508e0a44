import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flush, serve } from '../api/testing';
import { go } from '../lib/router.svelte';
import { ProjectsPage, tokensOf } from './projects.svelte';

const project = (id: string): object => ({ id, name: id, path: `/src/${id}`, root: '/h' });
const live = (id: string, word: string): object => ({
  project: id,
  origin: 'source',
  state: { word },
});
const usage = { input: 1, output: 2, cacheRead: 4, cacheWrite5m: 8, cacheWrite1h: 16 };

let page: ProjectsPage;
beforeEach(async () => {
  serve({
    'GET /projects': () => ({ projects: ['a', 'b', 'c'].map(project), total: 3 }),
    'GET /sessions': () => ({
      sessions: [live('a', 'your turn'), live('a', 'needs you'), live('b', 'working')],
    }),
    'GET /usage': () => ({
      rows: [
        { group: 'x', projectPath: '/src/a', usage },
        { group: '/src/b', usage },
      ],
    }),
  });
  go('/projects');
  page = new ProjectsPage();
  page.read();
  page.readUsage();
  await flush();
});
afterEach(() => {
  page.close();
  vi.unstubAllGlobals();
});

test('a project has the most urgent state of its sessions', () => {
  expect(page.rows.map((r) => page.stateOf(r.project))).toEqual([
    'needs you',
    'working',
    undefined,
  ]);
});

test('usage belongs to a project by its path', () => {
  const used = page.rows.map((r) => page.usageOf(r.project));
  expect(used.map((u) => u && tokensOf(u))).toEqual([31, 31, undefined]);
});

test('the filter of the address narrows the rows, and steps stay inside', () => {
  page.step(99);
  expect(page.at).toBe(2);
  go('/projects?q=B');
  expect(page.rows.map((r) => r.project.id)).toEqual(['b']);
  page.step(-99);
  expect(page.at).toBe(0);
});
