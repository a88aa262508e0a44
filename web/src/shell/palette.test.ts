import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flush, serve, type Received } from '../api/testing';
import { onKeys } from '../lib/keys.svelte';
import { here } from '../lib/router.svelte';
import { PaletteModel } from './palette.svelte';

const session = (id: string): object => ({ id, title: `Title ${id}`, projectPath: '/src/parser' });

let palette: PaletteModel;
let received: Received[];
let end: () => void;
const star = vi.fn();
beforeEach(() => {
  received = serve({
    'GET /sessions': () => ({ sessions: [session('c9cf'), session('beef')] }),
    'GET /sessions/beef': () => session('beef'),
  });
  end = onKeys({ star, down: () => undefined });
  palette = new PaletteModel();
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

const type = async (text: string): Promise<void> => {
  palette.text = text;
  palette.read();
  await vi.waitFor(() => expect(received.length).toBeGreaterThan(0));
  await flush();
};
const texts = (group: string): string[] =>
  palette.entries.filter((e) => e.group === group).map((e) => e.text);

test('without words it offers recent sessions, pages and commands', async () => {
  await type('');
  expect(texts('Recent sessions')).toEqual(['Title c9cf', 'Title beef']);
  expect(texts('Search')).toEqual([]);
  expect(texts('Pages')).toContain('Usage');
});

test('a command of the page is offered, a move of the cursor is not', async () => {
  await type('star');
  expect(texts('Commands')).toContain('star');
  palette.text = 'down';
  expect(texts('Commands')).not.toContain('down');
  palette.text = 'star';
  palette.entries.find((e) => e.id === 'do-star')?.act();
  expect(star).toHaveBeenCalledOnce();
});

test('an act is offered although a page has its name', () => {
  const done = onKeys({ archive: star, 'archive page': star, usage: star });
  palette = new PaletteModel();
  done();
  palette.text = 'archive';
  expect(texts('Commands')).toEqual(['archive', 'archive page']);
  expect(texts('Pages')).toEqual(['Archive']);
  palette.text = 'usage';
  expect(texts('Commands')).toEqual([]);
});

test('words that may be an id find that session first, and once', async () => {
  await type('beef');
  expect(texts('Sessions')).toEqual(['Title beef', 'Title c9cf']);
});

test('words can be searched for', async () => {
  await type('half & half');
  palette.entries.find((e) => e.group === 'Search')?.act();
  expect(here().query.get('q')).toBe('half & half');
});

test('the entry that is run stays inside the list', async () => {
  await type('usage');
  palette.moveTo(999);
  expect(palette.current).toBe(palette.entries.at(-1));
  palette.moveTo(-1);
  expect(palette.at).toBe(0);
});

test('another text stops the search before', async () => {
  palette.text = 'one';
  palette.read()();
  await type('two');
  const searched = received.map((r) => r.query['q']).filter((q) => q !== undefined);
  expect(searched).toEqual(['two']);
});
