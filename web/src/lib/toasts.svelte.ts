// Short messages at the bottom of the page, some with an Undo button. They disappear
// by themselves.

export interface Toast {
  id: number;
  text: string;
  action?: string;
  act?: () => void;
}

let list = $state<Toast[]>([]);
let next = 1;

export function toasts(): Toast[] {
  return list;
}

/** say shows a message. One with a button stays for thirty seconds, and replaces the one before
 * that has a button: two that say Undo cannot be told apart. */
export function say(text: string, action?: string, act?: () => void): void {
  const toast: Toast = { id: next++, text };
  if (action !== undefined) toast.action = action;
  if (act) toast.act = act;
  list = [...list.filter((t) => !act || !t.act).slice(-2), toast];
  setTimeout(() => dismiss(toast.id), act ? 30_000 : 6_000);
}

export function dismiss(id: number): void {
  list = list.filter((t) => t.id !== id);
}
