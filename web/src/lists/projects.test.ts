import { expect, test } from 'vitest';
import type { Schemas } from '../api/client';
import { arranged } from './projects';

const project = (path: string, repository?: string) =>
  ({ id: path, name: path.slice(1), path, root: '/', repository }) as Schemas['PricedProject'];

test('a worktree is listed below its repository, and none is lost', () => {
  const all = [
    project('/tree', '/repo'),
    project('/other'),
    project('/repo'),
    project('/lone', '/gone'),
  ];
  expect(arranged(all, '').map((r) => [r.project.path, r.depth])).toEqual([
    ['/other', 0],
    ['/repo', 0],
    ['/tree', 1],
    ['/lone', 0],
  ]);
  expect(arranged(all, 'TREE').map((r) => [r.project.path, r.depth])).toEqual([['/tree', 0]]);
});
