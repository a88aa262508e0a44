import { expect, test } from 'vitest';
import { Output } from './output.svelte';

test('a message grows piece by piece, and the next one starts empty', () => {
  const output = new Output();
  output.add({ type: 'message_start' });
  output.add({ type: 'content_block_delta', delta: { thinking: 'let me ' } });
  output.add({ event: { type: 'content_block_delta', delta: { thinking: 'see' } } });
  output.add({ type: 'content_block_delta', delta: { text: 'Yes.' } });
  expect([output.thinking, output.text]).toEqual(['let me see', 'Yes.']);
  output.add({ type: 'message_start' });
  expect([output.thinking, output.text]).toEqual(['', '']);
});
