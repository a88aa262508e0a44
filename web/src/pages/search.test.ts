import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flush, serve, type Received } from '../api/testing';
import { go, here } from '../lib/router.svelte';
import { hitPath, SearchPage, type Group, type Hit } from './search.svelte';

const hit = (more: object = {}): Hit => ({ text: 'half', ...more }) as Hit;
const group = (id: string, hits: number): Group =>
  ({ sessionId: id, hitCount: 9, snippets: Array.from({ length: hits }, () => hit()) }) as Group;

let page: SearchPage;
let received: Received[];
beforeEach(() => {
  const coverage = { complete: true };
  received = serve({
    'GET /search': ({ query }) =>
      query['cursor'] === 'two'
        ? { results: [group('c', 1)], coverage }
        : query['hits'] === '100'
          ? { results: [group('a', 9)], coverage }
          : { results: [group('a', 2), group('b', 1)], next: 'two', complete: true, coverage },
  });
  go('/search?q=half');
  page = new SearchPage();
});
afterEach(() => {
  page.close();
  vi.unstubAllGlobals();
});

const search = async (): Promise<Record<string, string>> => {
  page.search();
  await flush();
  return received.at(-1)?.query ?? {};
};

test('the address is what the server is asked', async () => {
  expect(await search()).toMatchObject({ q: 'half', sort: 'relevance', limit: '20', hits: '6' });
  go('/search?q=half&sort=newest&in=prompts,notes&model=opus');
  expect(await search()).toMatchObject({ sort: 'recent', in: 'prompts,notes', model: 'opus' });
});

test('a scope is a project or a session', async () => {
  go('/search?q=half&near=parser&session=s1');
  expect(await search()).toMatchObject({ q: 'half session:s1' });
  go('/search?q=half&near=parser&session=s1&scope=project');
  expect(await search()).toMatchObject({ q: 'half', project: 'parser' });
  go('/search?q=half&near=parser&session=s1&scope=all');
  const all = await search();
  expect([all['q'], all['project']]).toEqual(['half', undefined]);
});

test('a search that stopped at its budget counts on until it has read everything', async () => {
  const stopped = { complete: false, coverage: { complete: false, searchStopped: true } };
  received = serve({
    'GET /search': ({ query }) => {
      if (query['exact'] === 'true')
        return { hitCount: 4000, total: 900, complete: true, coverage: { complete: true } };
      return query['limit'] === '500'
        ? { hitCount: 700, total: 500, ...stopped }
        : { results: [group('a', 2)], hitCount: 30, total: 20, ...stopped };
    },
  });
  page.search();
  await vi.waitFor(() => {
    expect(page.counts).toMatchObject({ hitCount: 4000, total: 900, complete: true });
  });
  expect(page.groups.map((g) => g.sessionId)).toEqual(['a']); // what is shown stays
  expect(received.map((r) => [r.query['limit'], r.query['exact']])).toEqual([
    ['20', undefined],
    ['500', undefined],
    ['1', 'true'],
  ]);
});

test('what a search counts does not fall while more is read', async () => {
  const part = { complete: false, coverage: { complete: false, reading: { files: 1, total: 9 } } };
  let hitCount = 700;
  received = serve({
    'GET /search': () => ({ results: [group('a', 2)], hitCount, total: 5, ...part }),
  });
  await search();
  hitCount = 30;
  await search();
  expect(page.counts?.hitCount).toBe(700);
  go('/search?q=other');
  await search();
  expect(page.counts?.hitCount).toBe(30);
});

test('a search is not counted on once another one is asked', async () => {
  const stopped = { complete: false, coverage: { complete: false, searchStopped: true } };
  received = serve({
    'GET /search': ({ query }) => {
      if (query['limit'] === '500') page.close();
      return { results: [group('a', 2)], hitCount: 30, total: 20, ...stopped };
    },
  });
  await search();
  expect(received.map((r) => r.query['limit'])).toEqual(['20', '500']);
});

test('an empty query has no results', async () => {
  await search();
  go('/search');
  page.search();
  expect([page.load.value, page.load.loading, page.groups]).toEqual([undefined, false, []]);
});

test('hits are numbered through all sessions and pages', async () => {
  await search();
  await page.searchMore();
  expect(page.groups.map((g) => g.sessionId)).toEqual(['a', 'b', 'c']);
  expect(page.groups.map((g) => page.indexOf(g, 0))).toEqual([0, 2, 3]);
  expect(page.next).toBeUndefined();
  await page.expand('a');
  expect(page.groups.map((g) => page.indexOf(g, 0))).toEqual([0, 9, 10]);
  expect(page.isExpanded(page.groups[0] as Group)).toBe(true);
});

test('another page of an old search is dropped', async () => {
  await search();
  const more = page.searchMore();
  go('/search?q=other');
  await more;
  expect(page.groups).toHaveLength(2);
});

test('the current hit stays inside', async () => {
  await search();
  page.moveTo(99);
  expect(page.at).toBe(2);
  page.moveTo(-1);
  expect(page.at).toBe(0);
});

test('what is typed becomes the query when typing stops, without a key that has no value', () => {
  vi.useFakeTimers();
  page.text = 'half state:';
  page.typed();
  page.text = 'whole state:';
  page.typed();
  vi.advanceTimersByTime(149);
  expect(page.q).toBe('half');
  vi.advanceTimersByTime(1);
  expect(page.q).toBe('whole');
  page.addressChanged();
  expect(page.text).toBe('whole state:');
  go('/search?q=back');
  page.addressChanged();
  expect(page.text).toBe('back');
  vi.useRealTimers();
});

test('enter searches first, and then opens the hit', async () => {
  page.text = 'other';
  page.submit();
  expect(here().query.get('q')).toBe('other');
  await search();
  page.submit();
  expect(here().path).toBe('/s/a');
});

test('a hit opens at its message, on its branch or in its agent', () => {
  const g = group('s1', 0);
  expect(hitPath('a b', g, hit({ messageId: 'm', leaf: 'l' }))).toBe('/s/s1/b/l?q=a+b#m-m');
  expect(hitPath('a', g, hit({ messageId: 'm', leaf: 'l', agentId: 'x' }))).toBe(
    '/s/s1/a/x?q=a#m-m',
  );
  expect(hitPath('a', g, hit())).toBe('/s/s1?q=a');
});

test('kinds are ticked and unticked', () => {
  page.toggleKind('notes');
  page.toggleKind('prompts');
  expect(here().query.get('in')).toBe('notes,prompts');
  page.toggleKind('notes');
  page.toggleKind('prompts');
  expect(here().query.get('in')).toBeNull();
});
