import { expect, test } from 'vitest';
import { parse, type Event } from './events';

async function all(chunks: string[]): Promise<Event[]> {
  const bytes = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start(c) {
      for (const chunk of chunks) c.enqueue(bytes.encode(chunk));
      c.close();
    },
  });
  const list: Event[] = [];
  for await (const e of parse(stream)) list.push(e);
  return list;
}

test('events are whole however the bytes are cut', async () => {
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

test('an event that did not end is not told', async () => {
  expect(await all(['id: 7\ndata: {"a":1}\n'])).toEqual([]);
});
