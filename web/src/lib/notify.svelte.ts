// Notifications of the system, for whoever has the page behind others. They are off
// until someone asks for them, and the browser is asked only then.

import { say } from './toasts.svelte';
import { href } from './router.svelte';

const place = 'sesskeep.notify';

let wanted = $state(localStorage.getItem(place) === 'on');

/** canNotify tells whether this browser has them at all, here. */
export function canNotify(): boolean {
  return 'Notification' in globalThis;
}

/** notifying tells whether they are shown. */
export function notifying(): boolean {
  return wanted && canNotify() && Notification.permission === 'granted';
}

/** setNotify turns them on or off; on a click, because the browser may have to ask. */
export async function setNotify(on: boolean): Promise<void> {
  if (on && !canNotify()) {
    say('This browser has no notifications for this page.');
    return;
  }
  if (on && (await Notification.requestPermission()) !== 'granted') {
    say('The browser refuses notifications. Its settings for this page can allow them.');
    on = false;
  }
  wanted = on;
  localStorage.setItem(place, on ? 'on' : 'off');
}

/** tell shows one to who does not see the page. Several about one thing are one. */
export function tell(tag: string, title: string, body: string, path: string): void {
  if (!notifying() || document.visibilityState === 'visible') return;
  const options: NotificationOptions = { body, tag, icon: href('/icon.svg'), data: { path } };
  void shown(title, options).catch(() => undefined); // nobody is there to be told
}

async function shown(title: string, options: NotificationOptions): Promise<void> {
  // Phones show only those of a worker.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) {
    await worker.showNotification(title, options);
    return;
  }
  const one = new Notification(title, options);
  one.onclick = () => {
    focus();
    location.assign(href((options.data as { path: string }).path));
  };
}
