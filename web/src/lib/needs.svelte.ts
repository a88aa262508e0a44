// Sessions that need the user, wherever they run: shown in the bars and the tab's
// title, and as notifications while the page is hidden.

import { get, type Schemas } from '../api/client';
import { Debounce } from './debounce';
import { prompts } from './inbox.svelte';
import { notify } from './notify.svelte';
import { titleOf, type Session } from './session';
import { onEvent, world } from './world.svelte';

const maxNotified = 20;

let total = $state(0);
let known: Set<string> | undefined; // sessions that needed the user at the last reading

/** needing is the number of sessions that need the user. */
export function needing(): number {
  return Math.max(total, prompts().length);
}

/** watchNeeds keeps the number current until the returned function is called. */
export function watchNeeds(): () => void {
  const reading = new Debounce(500);
  const end = onEvent((e) => {
    if (e.type === 'lines') return;
    if (e.type === 'run') notifyEnded(e.data);
    reading.soon(() => void read());
  });
  if (world.link === 'live') void read();
  return () => {
    end();
    reading.cancel();
  };
}

async function read(): Promise<void> {
  try {
    const query = { state: 'needs you', source: 'all', limit: maxNotified };
    const page = await get('/api/v1/sessions', { query });
    total = page.total;
    notifyNew(page.sessions ?? []);
  } catch {
    return; // the status bar shows that the server is away
  }
}

function notifyNew(list: readonly Session[]): void {
  const key = (s: Session): string => `${s.id} ${s.state?.since ?? ''}`;
  const before = known;
  known = new Set(list.map(key));
  if (!before) return; // they waited before this page was opened
  for (const s of list) if (!before.has(key(s))) notify(s.id, titleOf(s), toolOf(s), `/s/${s.id}`);
}

/** toolOf names the tool a session asks for and nothing it says: notifications are readable on
 * locked screens. */
export function toolOf(s: Pick<Session, 'state'>): string {
  const tool = /^permission: (\S+)/.exec(s.state?.waitingFor ?? '')?.[1];
  return tool ? `needs you: ${tool}` : 'needs you';
}

const running = new Set<string>();

/** notifyEnded notifies of a run that this page saw running and that has ended. */
function notifyEnded(run: Schemas['HolderRecord']): void {
  const over = run.state === 'ended' || run.state === 'unclean';
  if (!over) running.add(run.id);
  else if (running.delete(run.id)) {
    notify(run.id, run.title || `Run ${run.id}`, run.state, `/runs/${run.id}`);
  }
}
