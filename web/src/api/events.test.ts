import { expect, test } from 'vitest';
import { parse, sessionOf, type Event, type StreamEvent } from './events';

async function all(chunks: string[]): Promise<StreamEvent[]> {
  const bytes = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start(c) {
      for (const chunk of chunks) c.enqueue(bytes.encode(chunk));
      c.close();
    },
  });
  const list: StreamEvent[] = [];
  for await (const e of parse(stream)) list.push(e);
  return list;
}

test('events are complete wherever the chunks end', async () => {
  const text =
    ': begun\n\nid: 7\nevent: state\ndata: {"a":"ü"}\n\nid: 8\ndata: {"b":\ndata: 2}\n\n';
  const want = [
    { id: '7', type: 'state', data: { a: 'ü' } },
    { id: '8', type: 'message', data: { b: 2 } },
  ];
  for (let at = 0; at <= text.length; at++) {
    expect(await all([text.slice(0, at), text.slice(at)])).toEqual(want);
  }
});

test('an unfinished event is dropped', async () => {
  expect(await all(['id: 7\ndata: {"a":1}\n'])).toEqual([]);
});

test('events of sessions and runs are about a session, the inbox is not', () => {
  const about = (type: string, data: object): string | undefined =>
    sessionOf({ id: '', type, data } as unknown as Event);
  expect(about('state', { sessionId: 'a' })).toBe('a');
  expect(about('run', { id: 'r1', sessionId: 'b' })).toBe('b');
  expect(about('reset', {})).toBeUndefined();
  expect(about('inbox', { prompts: [{ sessionId: 'c' }] })).toBeUndefined();
});
