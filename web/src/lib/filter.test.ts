import { expect, test } from 'vitest';
import { asked, facets, filtered, ticked } from './filter';

const facet = (name: string) => {
  const found = facets.find((f) => f.name === name);
  if (!found) throw new Error(name);
  return found;
};

test('a value is ticked and not', () => {
  const at = new URLSearchParams('state=idle&project=parser');
  expect(ticked(at, facet('state'), 'ended')).toBe('idle,ended');
  expect(ticked(at, facet('state'), 'idle')).toBeUndefined();
  expect(ticked(at, facet('project'), 'notes')).toBe('notes'); // the server takes one
  expect(ticked(new URLSearchParams('source=all'), facet('source'), 'user')).toBe('user');
});

test('an address is a question to the server', () => {
  const said = asked(new URLSearchParams('branch=main&archived=only&from=2026-11-01&view=table'));
  expect(said).toMatchObject({ gitBranch: 'main', archivedOnly: 'true', since: '2026-11-01' });
  expect(said['includeArchived']).toBeUndefined();
});

test('how a list looks is no filter', () => {
  expect(filtered(new URLSearchParams('view=table&sort=-size'))).toBe(false);
  expect(filtered(new URLSearchParams('q=half'))).toBe(true);
});
