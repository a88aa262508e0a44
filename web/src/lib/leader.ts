// One tab subscribes to the server's events and relays them to the others: browsers
// allow six connections to an origin, and a subscription per tab would use them up.
// When that tab closes, another takes over behind the last event it received.

import type { Problem } from '../api/client';
import { subscribe, type Event, type Handlers, type Status } from '../api/events';

const name = 'sesskeep.events';
const path = '/events?lines=false';

type Message =
  | { kind: 'event'; event: Event }
  | { kind: 'status'; status: Status; retryIn: number }
  | { kind: 'who' }; // a new tab asks for the state of the connection

/** listen receives events from the server, or from the tab that leads, until the signal is
 * aborted. */
export async function listen(handlers: Handlers<Event>, signal: AbortSignal): Promise<void> {
  // Locks need a secure origin; without them every tab has its own subscription.
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') {
    await subscribe(path, handlers, signal);
    return;
  }
  const channel = new BroadcastChannel(name);
  signal.addEventListener('abort', () => channel.close(), { once: true });
  let last = ''; // id of the last event that was relayed
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'event') {
      last = data.event.id || last;
      handlers.event(data.event);
    }
    if (data.kind === 'status') handlers.status?.(data.status, data.retryIn);
  };
  channel.postMessage({ kind: 'who' } satisfies Message);
  try {
    await navigator.locks.request(name, { signal }, async () => {
      await lead(channel, last, handlers, signal);
    });
  } catch (err) {
    if (!signal.aborted) throw err;
  }
}

async function lead(
  channel: BroadcastChannel,
  last: string,
  handlers: Handlers<Event>,
  signal: AbortSignal,
): Promise<void> {
  let status: Status = 'connecting';
  let retryIn = 0;
  const relay = (message: Message): void => {
    if (!signal.aborted) channel.postMessage(message);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'who') relay({ kind: 'status', status, retryIn });
  };
  await subscribe<Event>(
    path,
    {
      event: (event) => {
        handlers.event(event);
        relay({ kind: 'event', event });
      },
      status: (now, wait) => {
        [status, retryIn] = [now, wait];
        handlers.status?.(now, wait);
        relay({ kind: 'status', status: now, retryIn: wait });
      },
      // The other tabs have the same token, and see the refusal in their own requests.
      failed: (p: Problem) => handlers.failed?.(p),
    },
    signal,
    last,
  );
}
