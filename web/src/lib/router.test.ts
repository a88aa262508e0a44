import { expect, test } from 'vitest';
import { match } from './router.svelte';

test('a path gives its named parts', () => {
  expect(match('/s/:id/b/:leaf', '/s/c9cf/b/11d5')).toEqual({ id: 'c9cf', leaf: '11d5' });
  expect(match('/p/:slug', '/p/my%2Dapp/')).toEqual({ slug: 'my-app' });
  expect(match('/p/:slug', '/p/100%')).toEqual({ slug: '100%' });
  expect(match('/s/:id', '/s/c9cf/tree')).toBeUndefined();
  expect(match('/', '/')).toEqual({});
});
