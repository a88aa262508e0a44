// What happens, as it happens: the server's events by one streaming request,
// because an EventSource cannot carry the token. After a break it goes on after
// the last event that came; "reset" says that this could not be done exactly,
// and whoever shows lists reads them anew.

import { Problem, send } from './client';

export interface Event {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

export type Status = 'connecting' | 'live' | 'waiting';

export interface Heard {
  event: (e: Event) => void;
  status?: (s: Status, retryIn: number) => void;
  /** failed is told once where asking again is of no use: a token that is refused, say. */
  failed?: (p: Problem) => void;
}

const longest = 15_000; // between two attempts
const hopeless = [400, 401, 403, 404];

/** hear listens to a stream until the signal ends it, from now on or after the event that is known
 * last. */
export async function hear(
  path: string,
  heard: Heard,
  signal: AbortSignal,
  last = '',
): Promise<void> {
  for (let failures = 0; !signal.aborted;) {
    heard.status?.('connecting', 0);
    try {
      const headers: Record<string, string> = last === '' ? {} : { 'Last-Event-ID': last };
      const answer = await send('GET', path, { headers, signal });
      heard.status?.('live', 0);
      failures = 0;
      for await (const event of parse(answer.body as ReadableStream<Uint8Array>)) {
        last = event.id || last;
        heard.event(event);
      }
    } catch (err) {
      if (signal.aborted) return;
      if (err instanceof Problem && hopeless.includes(err.status)) {
        heard.failed?.(err);
        return;
      }
    }
    const wait = Math.min(longest, 250 * 2 ** failures++);
    heard.status?.('waiting', wait);
    await pause(wait, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true });
  });
}

/** parse reads server-sent events out of a stream of bytes, however they are cut. */
export async function* parse(stream: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (rest + value).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const event = one(part);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function one(text: string): Event | undefined {
  let id = '';
  let type = 'message';
  const data: string[] = [];
  for (const line of text.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    if (name === 'id') id = value ?? '';
    if (name === 'event') type = value ?? '';
    if (name === 'data') data.push(value ?? '');
  }
  if (data.length === 0) return undefined;
  return { id, type, data: JSON.parse(data.join('\n')) as Record<string, unknown> };
}
