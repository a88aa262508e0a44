// System notifications, shown while the page is hidden. They are off until the user
// turns them on, and only then does the browser ask for permission.

import { say } from './toasts.svelte';
import { href } from './router.svelte';

const storageKey = 'sesskeep.notify';

let wanted = $state(localStorage.getItem(storageKey) === 'on');

/** canNotify reports whether this browser offers notifications on this origin. */
export function canNotify(): boolean {
  return 'Notification' in globalThis;
}

/** notifying reports whether notifications are on. */
export function notifying(): boolean {
  return wanted && canNotify() && Notification.permission === 'granted';
}

/** setNotify turns notifications on or off. Call it from a click: the browser may have to ask. */
export async function setNotify(on: boolean): Promise<void> {
  if (on && !canNotify()) {
    say('This browser does not support notifications for this page.');
    return;
  }
  if (on && (await Notification.requestPermission()) !== 'granted') {
    say('Your browser blocks notifications. Allow them in its settings for this page.');
    on = false;
  }
  wanted = on;
  localStorage.setItem(storageKey, on ? 'on' : 'off');
}

/** notify shows a notification while the page is hidden; one with the same tag replaces it. */
export function notify(tag: string, title: string, body: string, path: string): void {
  if (!notifying() || document.visibilityState === 'visible') return;
  const options: NotificationOptions = { body, tag, icon: href('/icon.svg'), data: { path } };
  void show(title, options).catch(() => undefined); // the page is hidden: there is no one to warn
}

async function show(title: string, options: NotificationOptions): Promise<void> {
  // Phones only allow notifications from a service worker.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) {
    await worker.showNotification(title, options);
    return;
  }
  const notification = new Notification(title, options);
  notification.onclick = () => {
    focus();
    location.assign(href((options.data as { path: string }).path));
  };
}
