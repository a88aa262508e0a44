import { describe, expect, it } from 'vitest';
import type { Schemas } from '../api/client';
import { by, byDay, undone, words } from './journal';

type Act = Schemas['ActRow'];
const act = (id: number, undoes = 0, state = 'done', timestamp = ''): Act =>
  ({ id, undoes, state, timestamp, verb: undoes ? 'undo' : 'archive' }) as Act;

describe('the journal', () => {
  it('knows what was taken back', () => {
    expect([...undone([act(2, 1), act(1)])]).toEqual([1]);
    // An undo that was taken back itself took nothing back.
    expect([...undone([act(3, 2), act(2, 1), act(1)])]).toEqual([2]);
    expect([...undone([act(2, 1, 'failed'), act(1)])]).toEqual([]);
  });

  it('groups by day, in order', () => {
    const days = byDay([act(3, 0, '', 'b1'), act(2, 0, '', 'b2'), act(1, 0, '', 'a1')], (t) =>
      t.slice(0, 1),
    );
    expect(days.map((d) => [d.day, d.acts.map((a) => a.id)])).toEqual([
      ['b', [3, 2]],
      ['a', [1]],
    ]);
  });

  it('says what was done, and by whom', () => {
    expect(words({ verb: 'trash' })).toBe('Moved to the trash');
    expect(words({ verb: 'hook install', what: 'x' })).toBe('hook install: x');
    expect(by({ user: 'ada', from: 'cli' })).toBe('by ada (cli)');
    expect(by({ user: '127.0.0.1', from: 'api' })).toBe('over HTTP from 127.0.0.1');
  });
});
