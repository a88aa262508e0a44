// Short messages at the foot of the page, some with a way to take back what was
// done. They go by themselves.

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

/** say shows a message; one that can be undone stays for thirty seconds. */
export function say(text: string, action?: string, act?: () => void): void {
  const toast: Toast = { id: next++, text };
  if (action !== undefined) toast.action = action;
  if (act) toast.act = act;
  list = [...list.slice(-2), toast];
  setTimeout(() => dismiss(toast.id), act ? 30_000 : 6_000);
}

export function dismiss(id: number): void {
  list = list.filter((t) => t.id !== id);
}
