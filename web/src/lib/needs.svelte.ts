// Sessions that need the reader, wherever they run: for the bars, the title of the
// tab, and whoever looks elsewhere.

import { get } from '../api/client';
import { asked } from './inbox.svelte';
import { tell } from './notify.svelte';
import { titleOf, type Session } from './session';
import { onEvent, world } from './world.svelte';

const pace = 500; // after an event
const most = 20; // that are told of

let total = $state(0);
let known: Set<string> | undefined; // those that were there already

/** needing is how many need the reader. */
export function needing(): number {
  return Math.max(total, asked().length);
}

/** watchNeeds keeps it true while an effect lives. */
export function watchNeeds(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = onEvent((e) => {
    if (e.type === 'lines') return;
    if (e.type === 'run') ended(e.data as unknown as Run);
    timer ??= setTimeout(() => {
      timer = undefined;
      void read();
    }, pace);
  });
  if (world.link === 'live') void read();
  return () => {
    end();
    clearTimeout(timer);
  };
}

async function read(): Promise<void> {
  try {
    const query = { state: 'needs you', source: 'all', limit: most };
    const page = await get('/api/v1/sessions', { query });
    total = page.total;
    news(page.sessions ?? []);
  } catch {
    return; // the status bar tells
  }
}

/** news tells of sessions that did not need the reader before. */
function news(list: readonly Session[]): void {
  const key = (s: Session): string => `${s.id} ${s.state?.since ?? ''}`;
  const before = known;
  known = new Set(list.map(key));
  if (!before) return; // they waited before this page was opened
  for (const s of list) if (!before.has(key(s))) tell(s.id, titleOf(s), toolOf(s), `/s/${s.id}`);
}

/** toolOf is what a session asks for, without anything that it says: notifications lie open on
 * locked screens. */
export function toolOf(s: Pick<Session, 'state'>): string {
  const tool = /^permission: (\S+)/.exec(s.state?.waitingFor ?? '')?.[1];
  return tool ? `needs you: ${tool}` : 'needs you';
}

interface Run {
  id: string;
  state: string;
  title?: string;
  sessionId?: string;
}

const living = new Set<string>();

/** ended tells of a run that was seen to live and does no more. */
function ended(run: Run): void {
  const over = run.state === 'ended' || run.state === 'unclean';
  if (!over) living.add(run.id);
  else if (living.delete(run.id)) {
    tell(run.id, run.title || `Run ${run.id}`, run.state, `/runs/${run.id}`);
  }
}
