// The keys of the terminal interface, from its own table. A page registers handlers
// for actions; the handler that was registered last is called first.

import table from './keys.json';

export type Action = string;
export type Handler = (e: KeyboardEvent) => unknown;

const storageKey = 'sesskeep.keys';
const layers: Partial<Record<Action, Handler>>[] = [];
let first = ''; // the first of two keys, such as g of "g g"

/** keysOn reports whether single letters are shortcuts. Some screen readers need them off. */
export function keysOn(): boolean {
  return localStorage.getItem(storageKey) !== 'off';
}

export function setKeys(on: boolean): void {
  localStorage.setItem(storageKey, on ? 'on' : 'off');
}

/** onKeys registers handlers until the returned function is called: $effect(() => onKeys({…})). A
 * handler that returns false passes the key to the next one. */
export function onKeys(handlers: Partial<Record<Action, Handler>>): () => void {
  layers.push(handlers);
  return () => void layers.splice(layers.indexOf(handlers), 1);
}

/** bindings lists the actions that have a handler, with the keys that a browser does not use
 * itself. */
export function bindings(): typeof table {
  return table
    .filter((b) => layers.some((l) => l[b.action]))
    .map((b) => ({ ...b, keys: b.keys.filter((k) => !isBrowserKey(k)) }))
    .filter((b) => b.keys.length > 0);
}

function isBrowserKey(key: string): boolean {
  if (/^(tab|shift\+tab|f\d+)$/.test(key)) return true;
  return key.startsWith('ctrl+') && (!ours.includes(key) || key === 'ctrl+f');
}

/** name is the key of an event as the table spells it. */
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

// Shortcuts with Ctrl belong to the browser, except these.
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
  // Ctrl+F finds in a browser, but scrolls in the terminal interface.
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

/** perform runs an action as its key would. */
export function perform(action: Action): boolean {
  const e = new KeyboardEvent('keydown');
  return layers.toReversed().some((l) => l[action] && l[action](e) !== false);
}

export function listen(): void {
  addEventListener('keydown', press);
}
