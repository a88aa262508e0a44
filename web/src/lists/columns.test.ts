import { expect, test } from 'vitest';
import type { Session } from '../lib/session';
import { columns, csv } from './columns';

const session = {
  id: 'c9cf',
  title: '=HYPERLINK("http://x")',
  projectPath: '/home/ada/src/my, app',
  dirName: '-',
  gitBranch: 'main',
  messageCount: 1240,
  promptCount: 2,
  conversationCount: 1,
  fileSize: 9,
  lastActivityAt: '2026-11-15T20:42:07.181Z',
  origin: 'source',
  problems: 0,
  root: '/',
  source: 'user',
} as unknown as Session;

test('a CSV file has a row for each session, and no formula', () => {
  const [head, row, end] = csv([session]).split('\r\n');
  expect(head?.split(',')).toHaveLength(columns.length + 1);
  expect(row).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(row).toContain('"/home/ada/src/my, app"');
  expect(row).toContain(',1240,'); // a plain number
  expect(end).toBe('');
});
