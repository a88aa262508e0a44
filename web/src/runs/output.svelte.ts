// What a run says while it says it: the text that is being written now. What is
// finished is in the transcript.

import { hear, type Event } from '../api/events';

export class Output {
  thinking = $state('');
  text = $state('');

  /** follow listens from a byte of the log on, until the run or the signal ends it; news is told
   * that something is finished. */
  async follow(run: string, from: number, signal: AbortSignal, news: () => void): Promise<void> {
    const over = new AbortController();
    await hear(
      `/runs/${encodeURIComponent(run)}/output`,
      {
        event: (e) => {
          if (e.type === 'piece') this.take(e);
          else news();
          if (e.type === 'end') over.abort();
        },
      },
      AbortSignal.any([signal, over.signal]),
      String(from),
    );
  }

  /** take adds a piece of a message; the beginning of one forgets the last. */
  take(e: Event): void {
    const event = (e.data['event'] ?? e.data) as {
      type?: string;
      delta?: { text?: string; thinking?: string };
    };
    if (event.type === 'message_start' || event.type === 'message_stop') this.clear();
    this.thinking += event.delta?.thinking ?? '';
    this.text += event.delta?.text ?? '';
  }

  clear(): void {
    this.thinking = '';
    this.text = '';
  }
}
