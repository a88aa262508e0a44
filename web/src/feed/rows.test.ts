import { expect, test } from 'vitest';
import type { Block, Fork } from './block';
import { rowsOf, type Modes } from './rows';

const modes: Modes = { view: 'conversation', thinking: 'peek', tools: 'line', meta: false };

function block(kind: Block['kind'], messageId: string, more: Partial<Block> = {}): Block {
  return { kind, messageId, turn: 0, ...more };
}

function call(
  messageId: string,
  state: NonNullable<Block['call']>['state'] = 'ok',
  more: Partial<NonNullable<Block['call']>> = {},
): Block {
  return block('call', messageId, { call: { tool: 'Bash', short: 'bash', state, ...more } });
}

const none = new Map<string, Fork>();

test('calls that follow each other are one row, and an error is its own', () => {
  const rows = rowsOf([call('a'), call('b'), call('c', 'failed'), call('d')], modes, none);
  expect(rows.map((r) => [r.kind, r.key])).toEqual([
    ['group', 'a'],
    ['block', 'c'],
    ['block', 'd'],
  ]);
  expect(rowsOf([call('a'), call('b')], { ...modes, tools: 'card' }, none).length).toBe(2);
});

test('an agent, a plan and a call that runs are rows of their own', () => {
  const list = [
    call('a'),
    call('b', 'ok', { agentId: 'x' }),
    call('c', 'ok', { plan: 'p' }),
    call('d', 'no result'),
  ];
  expect(rowsOf(list, modes, none).every((r) => r.kind === 'block')).toBe(true);
});

test('keys are unique and stay when something follows', () => {
  const list = [block('text', 'a'), block('text', 'a'), call('a'), block('prompt', 'b')];
  const keys = rowsOf(list, modes, none).map((r) => r.key);
  expect(new Set(keys).size).toBe(keys.length);
  const more = rowsOf([...list, block('text', 'c')], modes, none).map((r) => r.key);
  expect(more.slice(0, keys.length)).toEqual(keys);
});

test('a block has the same key however it is shown, and what is hidden leads to what follows', () => {
  const list = [
    block('thinking', 'a'),
    block('text', 'a'),
    call('b'),
    call('c'),
    block('meta', 'd'),
  ];
  const all = rowsOf(list, { ...modes, view: 'everything', tools: 'full' }, none);
  expect(all.map((r) => r.key)).toEqual(['a', 'a.1', 'b', 'c', 'd']);
  const some = rowsOf(list, { ...modes, thinking: 'hidden' }, none);
  expect(some.map((r) => [r.key, r.also, r.message])).toEqual([
    ['a.1', ['a'], 'a'],
    ['b', ['c', 'd'], 'b'],
  ]);
});

test('every other way of a fork has a row above it', () => {
  const way = (messageId: string, here: boolean): Fork['ways'][0] => ({
    messageId,
    here,
    leaf: messageId,
    text: '',
    timestamp: undefined,
    turnCount: 1,
  });
  const fork: Fork = {
    messageId: 'p',
    ways: [way('o1', false), way('o2', false), way('p', true), way('o3', false), way('o4', false)],
  };
  const rows = rowsOf([block('prompt', 'p'), block('text', 't')], modes, new Map([['p', fork]]));
  expect(rows.map((r) => r.key)).toEqual(['way o1', 'way o2', 'way o3', 'way o4', 'p', 't']);
  expect(rows[1]?.lanes).toEqual([
    { at: 1, part: 'runs' },
    { at: 2, part: 'begins' },
  ]);
  expect(rows[4]?.lanes.length).toBe(3);
  expect(rows[4]?.kind === 'block' && rows[4].fork).toBe(fork);
});

test('the focused view has prompts and final words', () => {
  const list = [
    block('prompt', 'p'),
    block('text', 'a'),
    call('b'),
    block('text', 'c'),
    block('prompt', 'q'),
    block('text', 'd'),
  ];
  expect(rowsOf(list, { ...modes, view: 'focused' }, none).map((r) => r.key)).toEqual([
    'p',
    'c',
    'q',
    'd',
  ]);
});

test('meta and thoughts are shown as asked for', () => {
  const list = [block('meta', 'm'), block('thinking', 't')];
  expect(rowsOf(list, modes, none).map((r) => r.key)).toEqual(['t']);
  expect(
    rowsOf(list, { ...modes, thinking: 'hidden', meta: true }, none).map((r) => r.key),
  ).toEqual(['m']);
});
