// Server-sent events, read with fetch because an EventSource cannot carry the
// token. After a broken connection the stream resumes behind the last event that
// arrived; a "reset" event says that some events are missing, and lists have to
// be read again.

import { Problem, send, type Schemas } from './client';

/** StreamEvent is one event of any stream, with its data decoded. */
export interface StreamEvent {
  id: string;
  type: string;
  data: unknown;
}

type SessionEvent = Schemas['Event'];

/** Event is an event of /events. Those about runs and the inbox are no SessionEvents: they carry
 * the whole run, or all prompts that wait. */
export type Event =
  | { id: string; type: SessionEvent['kind']; data: SessionEvent }
  | { id: string; type: 'run'; data: Schemas['HolderRecord'] }
  | { id: string; type: 'inbox'; data: Pick<Schemas['InboxPage'], 'prompts'> };

/** sessionOf is the session an event is about, if it is about one. */
export function sessionOf(e: Event): string | undefined {
  return e.type === 'inbox' ? undefined : e.data.sessionId;
}

export type Status = 'connecting' | 'live' | 'waiting';

export interface Handlers<E> {
  event: (e: E) => void;
  status?: (s: Status, retryIn: number) => void;
  /** failed is called once, when retrying is pointless: the token was refused, say. */
  failed?: (p: Problem) => void;
}

const maxWait = 15_000; // ms between two attempts
const permanent = [400, 401, 403, 404];

/** subscribe reads a stream until the signal is aborted, from now on or behind the event whose id
 * is last. */
export async function subscribe<E = Event>(
  path: string,
  handlers: Handlers<E>,
  signal: AbortSignal,
  last = '',
): Promise<void> {
  for (let failures = 0; !signal.aborted;) {
    handlers.status?.('connecting', 0);
    try {
      const headers: Record<string, string> = last === '' ? {} : { 'Last-Event-ID': last };
      const reply = await send('GET', path, { headers, signal });
      handlers.status?.('live', 0);
      failures = 0;
      for await (const event of parse(reply.body as ReadableStream<Uint8Array>)) {
        last = event.id || last;
        handlers.event(event as E);
      }
    } catch (err) {
      if (signal.aborted) return;
      if (err instanceof Problem && permanent.includes(err.status)) {
        handlers.failed?.(err);
        return;
      }
    }
    const wait = Math.min(maxWait, 250 * 2 ** failures++);
    handlers.status?.('waiting', wait);
    await pause(wait, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true });
  });
}

/** parse reads server-sent events from a stream of bytes, wherever its chunks end. */
export async function* parse(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
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
        const event = parseOne(part);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseOne(text: string): StreamEvent | undefined {
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
  return { id, type, data: JSON.parse(data.join('\n')) as unknown };
}
