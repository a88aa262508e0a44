// How much of Claude Code's homes the server has read. Every reply that lists, counts or
// sums carries it. While it is a part, pages say so and read themselves again.

import { get, onReply } from '../api/client';
import { count } from './format';
import { advanced, decode, whole, type Coverage } from './covered';

const state = $state<{ now: Coverage; growth: number }>({ now: whole, growth: 0 });

/** coverage is what the last reply said. */
export function coverage(): Coverage {
  return state.now;
}

/** partial reports whether figures can still grow. */
export function partial(): boolean {
  return !state.now.complete;
}

/** growth increases whenever lists and sums can have grown because the server read more, and once
 * more when it has read everything. An effect that reads from the server depends on it. */
export function growth(): number {
  return state.growth;
}

const interval = 1000; // ms between two requests for the progress
const rereadEvery = 3; // of these requests

/** watchCoverage follows the progress of the server while its answers are a part, until the
 * returned function is called. */
export function watchCoverage(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  let asked = 0;
  const poll = async (): Promise<void> => {
    timer = undefined;
    await get('/api/v1/sessions/count').catch(() => undefined); // onReply sees the reply
    if (ended) return;
    if (partial() && ++asked % rereadEvery === 0) state.growth++;
    schedule();
  };
  const schedule = (): void => {
    if (partial() && !ended) timer ??= setTimeout(() => void poll(), interval);
  };
  const end = onReply((reply) => {
    const now = decode(reply);
    if (!now) return;
    const was = partial();
    state.now = advanced(state.now, now);
    if (was && now.complete) state.growth++;
    schedule();
  });
  return () => {
    ended = true;
    clearTimeout(timer);
    end();
  };
}

/** progress is what the server is doing, or cannot do, in words; empty if everything was read. */
export function progress(c: Coverage): string {
  if (c.complete) return '';
  if (c.reading?.total) {
    return `Reading ${count(c.reading.files)} of ${count(c.reading.total)} files`;
  }
  if (c.reading) return 'Reading';
  if (c.unreadable[0]) {
    const more = c.unreadableCount - 1;
    return `Cannot read ${c.unreadable[0]}${more > 0 ? `, and ${count(more)} more` : ''}`;
  }
  return c.behind === '' ? 'Recent changes are still being read' : capital(c.behind);
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
