import { expect, test } from 'vitest';
import { serverQuery, facets, filtered, ticked } from './filter';

const facet = (name: string) => {
  const found = facets.find((f) => f.name === name);
  if (!found) throw new Error(name);
  return found;
};

test('a value is ticked and unticked', () => {
  const at = new URLSearchParams('state=idle&project=parser');
  expect(ticked(at, facet('state'), 'ended')).toBe('idle,ended');
  expect(ticked(at, facet('state'), 'idle')).toBeUndefined();
  expect(ticked(at, facet('project'), 'notes')).toBe('parser,notes');
  expect(ticked(new URLSearchParams('tag=a'), facet('tag'), 'b')).toBe('b'); // the server accepts one
  expect(ticked(new URLSearchParams('source=all'), facet('source'), 'user')).toBe('user');
});

test('an address becomes a query for the server', () => {
  const query = serverQuery(
    new URLSearchParams('branch=main&archived=only&from=2026-11-01&view=table'),
  );
  expect(query).toMatchObject({ gitBranch: 'main', archivedOnly: 'true', since: '2026-11-01' });
  expect(query['includeArchived']).toBeUndefined();
});

test('the look of a list is not a filter', () => {
  expect(filtered(new URLSearchParams('view=table&sort=-size'))).toBe(false);
  expect(filtered(new URLSearchParams('q=half'))).toBe(true);
});
