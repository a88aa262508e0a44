// Who answered a prompt that this page shows no longer.

import { get, type Schemas } from '../api/client';

type Happening = Schemas['LaunchEvent'];

/** answerOf finds the answer among what happened to a run. */
export function answerOf(events: readonly Happening[], id: string): Happening | undefined {
  return events.findLast((e) => e.promptId === id && e.behavior !== undefined);
}

/** words say how a prompt was answered: "allowed over HTTP by a phone, 17:06:02". */
export function words(e: Happening | undefined): string {
  if (!e) return 'Already answered.';
  const did = e.behavior === 'allow' ? 'Allowed' : 'Denied';
  const by = e.by ? ` by ${e.by}` : '';
  const seconds = new Date(e.timestamp).toLocaleTimeString('en-GB');
  return `${did}${by}, ${seconds}${e.reason ? ` (${e.reason})` : ''}.`;
}

/** whoAnswered asks for it. */
export async function whoAnswered(run: string, id: string): Promise<string> {
  try {
    const shown = await get('/api/v1/runs/{run}', { path: { run } });
    return words(answerOf(shown.events ?? [], id));
  } catch {
    return words(undefined);
  }
}
