import { describe, expect, it } from 'vitest';
import type { Session } from '../lib/session';
import {
  linesOf,
  near,
  order,
  phrase,
  pieces,
  plain,
  running,
  smells,
  toggled,
  watched,
  type Block,
} from './wall';

const session = (id: string, word: string, at: string): Session =>
  ({ id, origin: 'source', state: { word, why: '' }, lastActivityAt: at }) as unknown as Session;

describe('the live wall', () => {
  it('counts the lines of an event by its positions', () => {
    const at = (line: number) => ({ line, offset: 0 });
    expect(linesOf({ from: at(40), to: at(43) })).toBe(3);
    expect(linesOf({})).toBe(0);
  });

  it('has what needs you first, then the newest', () => {
    const list = [
      session('idle', 'idle', '5'),
      session('old', 'working', '1'),
      session('new', 'working', '2'),
      session('asks', 'needs you', '0'),
      session('over', 'ended', '9'),
    ];
    expect(order(list).map((s) => s.id)).toEqual(['asks', 'new', 'old', 'idle', 'over']);
  });

  it('reads and changes what is watched', () => {
    expect(watched(null)).toEqual([]);
    expect(watched('a,b,,a,c,d,e,f,g')).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(toggled(['a', 'b'], 'b')).toEqual(['a']);
    expect(toggled(['a', 'b', 'c', 'd', 'e', 'f'], 'g')).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('knows the call that runs', () => {
    const call = (state: NonNullable<Block['call']>['state']): Block => ({
      kind: 'call',
      call: { tool: 't', short: 's', state },
    });
    expect(running([call('no result'), { kind: 'meta' }])?.kind).toBe('call');
    expect(running([call('no result'), { kind: 'text' }])).toBeUndefined();
    expect(running([call('ok')])).toBeUndefined();
    expect(running([])).toBeUndefined();
  });

  it('shows a change with little around it', () => {
    const lines = [' a', ' b', ' c', '+d', ' e', ' f', ' g'];
    expect(near(lines, 1)).toEqual([' c', '+d', ' e']);
    expect(near([' a'], 2)).toEqual([]);
  });

  it('shows no colours of a terminal, and no other secret of one', () => {
    expect(plain('\u001b[2mdim\u001b[22m \u001b]52;x')).toBe('dim ␛]52;x');
  });
});

describe('smells', () => {
  it('marks a phrase whatever its case, and leaves the text whole', () => {
    const cut = pieces('Let me mock it. Then LET ME MOCK that.', ['let me mock']);
    expect(cut.map((p) => p.text).join('')).toBe('Let me mock it. Then LET ME MOCK that.');
    expect(cut.filter((p) => p.smell).map((p) => p.text)).toEqual(['Let me mock', 'LET ME MOCK']);
  });

  it('wants some words several times', () => {
    expect(phrase('actually ×5')).toEqual({ text: 'actually', least: 5 });
    const four = 'actually '.repeat(4);
    expect(pieces(four, ['actually ×5']).some((p) => p.smell)).toBe(false);
    expect(pieces(`${four}actually`, ['actually ×5']).filter((p) => p.smell)).toHaveLength(5);
  });

  it('counts blocks, and only what the model wrote', () => {
    const blocks: Block[] = [
      { kind: 'prompt', text: 'a simpler approach please' },
      { kind: 'thinking', text: 'A simpler approach: a simpler approach.' },
      { kind: 'text', text: 'Done.' },
    ];
    expect(smells(blocks, ['simpler approach'])).toBe(1);
    expect(smells(blocks, [])).toBe(0);
  });
});
