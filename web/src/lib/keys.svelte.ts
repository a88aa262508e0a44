// Keys are those of the terminal interface, read from its own table. A page
// registers what it does for an action; the newest registration is asked first.

import table from './keys.json';

export type Action = string;
export type Handler = (e: KeyboardEvent) => unknown;

const place = 'sesskeep.keys';
const layers: Partial<Record<Action, Handler>>[] = [];
let first = ''; // the first of two keys, such as g of "g g"

/** keysOn tells whether single letters act; some readers of screens need them off. */
export function keysOn(): boolean {
  return localStorage.getItem(place) !== 'off';
}

export function setKeys(on: boolean): void {
  localStorage.setItem(place, on ? 'on' : 'off');
}

/** onKeys registers handlers while an effect lives: $effect(() => onKeys({…})). A handler that
 * returns false leaves the key to the next one. */
export function onKeys(handlers: Partial<Record<Action, Handler>>): () => void {
  layers.push(handlers);
  return () => void layers.splice(layers.indexOf(handlers), 1);
}

/** bindings are the rows of the table that something here answers to. */
export function bindings(): typeof table {
  return table.filter((b) => layers.some((l) => l[b.action]));
}

/** name is a key as the table names it. */
export function name(e: KeyboardEvent): string {
  const named: Record<string, string> = {
    ' ': 'space',
    Enter: 'enter',
    Escape: 'esc',
    Backspace: 'backspace',
    ArrowDown: 'down',
    ArrowUp: 'up',
    ArrowLeft: 'left',
    ArrowRight: 'right',
    PageDown: 'pgdown',
    PageUp: 'pgup',
    Home: 'home',
    End: 'end',
  };
  const key = named[e.key] ?? e.key;
  if (e.ctrlKey || e.metaKey) return `ctrl+${key.toLowerCase()}`;
  return key === 'space' && e.shiftKey ? 'shift+space' : key;
}

// The browser's own keys stay the browser's, except these.
const ours = ['ctrl+k', 'ctrl+.', 'ctrl+f'];

function typing(e: KeyboardEvent): boolean {
  const at = e.target as HTMLElement | null;
  return !!at?.closest(
    'input:not([type=checkbox],[type=radio]), textarea, select, [contenteditable]',
  );
}

function press(e: KeyboardEvent): void {
  if (e.defaultPrevented || e.altKey) return;
  let key = name(e);
  if (key === 'Tab' || (key.startsWith('ctrl+') && !ours.includes(key))) return;
  if (typing(e) && key !== 'esc' && !key.startsWith('ctrl+')) return;
  if (!keysOn() && key.length === 1) return;
  // Enter and space belong to a focused control.
  const control = (e.target as HTMLElement | null)?.closest(
    'button, a[href], summary, [role=option]',
  );
  if (control && (key === 'enter' || key === 'space')) return;
  if (first !== '') {
    key = `${first} ${key}`;
    first = '';
  }
  if (act(key, e)) {
    e.preventDefault();
    return;
  }
  if (table.some((b) => b.keys.some((k) => k.startsWith(`${key} `)))) first = key;
}

function act(key: string, e: KeyboardEvent): boolean {
  // In a browser Ctrl+F finds; the terminal scrolls with it.
  const actions =
    key === 'ctrl+f' ? ['find'] : table.filter((b) => b.keys.includes(key)).map((b) => b.action);
  for (const layer of layers.toReversed()) {
    for (const action of actions) {
      const handler = layer[action];
      if (handler && handler(e) !== false) return true;
    }
  }
  return false;
}

/** perform does what a key for this action would do. */
export function perform(action: Action): boolean {
  const e = new KeyboardEvent('keydown');
  return layers.toReversed().some((l) => l[action] && l[action](e) !== false);
}

export function listen(): void {
  addEventListener('keydown', press);
}
