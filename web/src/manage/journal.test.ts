import { describe, expect, it } from 'vitest';
import type { Schemas } from '../api/client';
import { by, byDay, words } from './journal';

type Act = Schemas['ActRow'];
const act = (id: number, timestamp: string): Act => ({ id, timestamp }) as Act;

describe('the journal', () => {
  it('groups by day, in order', () => {
    const days = byDay([act(3, 'b1'), act(2, 'b2'), act(1, 'a1')], (t) => t.slice(0, 1));
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
