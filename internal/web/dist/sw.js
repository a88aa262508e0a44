// Keeps the files of the dashboard, so that it opens before the server answers.
// Names below assets/ change with their content; the page itself is asked for
// first and kept for when nobody answers. What the API says is never kept.

const name = 'sesskeep';
const base = '/ui/';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (e) => e.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (e) => {
  const url = new URL(e.request.url);
  if (e.request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (!url.pathname.startsWith(base)) return;
  if (url.pathname.startsWith(`${base}assets/`)) e.respondWith(asset(e.request));
  else if (e.request.mode === 'navigate') e.respondWith(page());
});

// A notification opens what it is about, in a tab of ours if there is one.
self.addEventListener('notificationclick', (e) => {
  e.notification.close();
  const path = e.notification.data?.path ?? '/';
  e.waitUntil(show(`${base.slice(0, -1)}${path}`));
});

async function show(address) {
  const [tab] = await self.clients.matchAll({ type: 'window' });
  if (!tab) return self.clients.openWindow(address);
  await tab.focus();
  return tab.navigate(address);
}

async function asset(request) {
  const cache = await caches.open(name);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

// Every address of ours begins with the same page.
async function page() {
  const cache = await caches.open(name);
  try {
    const answer = await fetch(base, { cache: 'no-cache' });
    if (answer.ok) await renew(cache, answer.clone());
    return answer;
  } catch (err) {
    const kept = await cache.match(base);
    if (kept) return kept;
    throw err;
  }
}

// A page of another build has other assets: those of the old one go.
async function renew(cache, answer) {
  const kept = await cache.match(base);
  const [is, was] = await Promise.all([answer.clone().text(), kept?.text()]);
  if (is === was) return;
  for (const request of await cache.keys()) await cache.delete(request);
  await cache.put(base, answer);
}
