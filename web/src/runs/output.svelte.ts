// The message a run is writing now, as it arrives. Finished messages are in the
// transcript.

import { subscribe, type StreamEvent } from '../api/events';

/** Piece is a stream event of the model, or a line that wraps one. */
interface Piece {
  event?: Piece;
  type?: string;
  delta?: { text?: string; thinking?: string };
}

export class Output {
  thinking = $state('');
  text = $state('');

  /** follow reads the log from a byte on, until the run ends or the signal is aborted. It calls
   * changed when something is finished. */
  async follow(run: string, from: number, signal: AbortSignal, changed: () => void): Promise<void> {
    const over = new AbortController();
    await subscribe<StreamEvent>(
      `/runs/${encodeURIComponent(run)}/output`,
      {
        event: (e) => {
          if (e.type === 'piece') this.add(e.data as Piece);
          else changed();
          if (e.type === 'end') over.abort();
        },
      },
      AbortSignal.any([signal, over.signal]),
      String(from),
    );
  }

  /** add appends a piece of a message; the start of a message discards the previous one. */
  add(piece: Piece): void {
    const event = piece.event ?? piece;
    if (event.type === 'message_start' || event.type === 'message_stop') this.clear();
    this.thinking += event.delta?.thinking ?? '';
    this.text += event.delta?.text ?? '';
  }

  clear(): void {
    this.thinking = '';
    this.text = '';
  }
}
