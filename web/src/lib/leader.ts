// Of several tabs one listens to the server and tells the others: browsers allow
// six connections to an origin, and each tab would take one for good. When that
// tab goes, another goes on after the last event it was told of.

import type { Problem } from '../api/client';
import { hear, type Event, type Heard, type Status } from '../api/events';

const name = 'sesskeep.events';

type Told =
  | { kind: 'event'; event: Event }
  | { kind: 'status'; status: Status; retryIn: number }
  | { kind: 'who' }; // a new tab asks how the link is

/** listen hears events, of the server or of the tab that listens to it, until the signal ends it. */
export async function listen(heard: Heard, signal: AbortSignal): Promise<void> {
  // Without them (an origin that is not secure) every tab listens itself.
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') {
    await hear('/events?lines=false', heard, signal);
    return;
  }
  const channel = new BroadcastChannel(name);
  signal.addEventListener('abort', () => channel.close(), { once: true });
  let last = ''; // event that was told
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.kind === 'event') {
      last = data.event.id || last;
      heard.event(data.event);
    }
    if (data.kind === 'status') heard.status?.(data.status, data.retryIn);
  };
  channel.postMessage({ kind: 'who' } satisfies Told);
  try {
    await navigator.locks.request(name, { signal }, async () => {
      await lead(channel, last, heard, signal);
    });
  } catch (err) {
    if (!signal.aborted) throw err;
  }
}

async function lead(
  channel: BroadcastChannel,
  last: string,
  heard: Heard,
  signal: AbortSignal,
): Promise<void> {
  let status: Status = 'connecting';
  let retryIn = 0;
  const tell = (told: Told): void => {
    if (!signal.aborted) channel.postMessage(told);
  };
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.kind === 'who') tell({ kind: 'status', status, retryIn });
  };
  await hear(
    '/events?lines=false',
    {
      event: (event) => {
        heard.event(event);
        tell({ kind: 'event', event });
      },
      status: (now, wait) => {
        [status, retryIn] = [now, wait];
        heard.status?.(now, wait);
        tell({ kind: 'status', status: now, retryIn: wait });
      },
      // The others find out by their own requests: their token is the same.
      failed: (p: Problem) => heard.failed?.(p),
    },
    signal,
    last,
  );
}
