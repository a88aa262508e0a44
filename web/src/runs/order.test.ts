import { expect, it } from 'vitest';
import { answerOf, words } from './answered';
import { command, quoted } from './order';

it('quotes what a shell would read otherwise', () => {
  expect(quoted('src/a.go')).toBe('src/a.go');
  expect(quoted("it's $HOME; rm")).toBe(`'it'\\''s $HOME; rm'`);
  expect(quoted('-rf')).toBe(`'-rf'`);
  expect(quoted('')).toBe(`''`);
});

it('is the command that starts the same', () => {
  const order = {
    cwd: '/home/ada/src/my app',
    prompt: '--why?',
    model: '',
    worktree: '',
    role: '',
    purpose: '',
    budgetUsd: 0,
  };
  expect(command({ ...order, permissionMode: 'ask' })).toBe(
    "sesskeep run start --detach --cwd '/home/ada/src/my app' -- '--why?'",
  );
  expect(command({ ...order, permissionMode: 'plan', model: 'opus', worktree: 'x' })).toContain(
    '--model opus --permission-mode plan --worktree x',
  );
  expect(
    command({
      ...order,
      permissionMode: 'ask',
      role: 'tester',
      purpose: 'all of it',
      budgetUsd: 2,
    }),
  ).toContain("--role tester --purpose 'all of it' --budget 2 --");
});

it('names who answered', () => {
  const events = [
    { timestamp: '2026-11-15T17:06:01Z', event: 'waiting' as const, promptId: 'p' },
    {
      timestamp: '2026-11-15T17:06:02Z',
      event: 'answered' as const,
      promptId: 'p',
      behavior: 'deny' as const,
      by: 'a phone',
    },
  ];
  expect(words(answerOf(events, 'p'))).toMatch(/^Denied by a phone, \d\d:\d\d:02\.$/);
  expect(words(answerOf(events, 'other'))).toBe('Already answered.');
});
