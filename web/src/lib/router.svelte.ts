// The address is the state: pages read their filters and folds from it, so that a
// link shows what the sender saw and Back restores it.

export const base = '/ui';

export interface Place {
  path: string; // below the base, with a leading slash
  query: URLSearchParams;
  hash: string; // without its sign
}

let place = $state.raw(read());

function read(): Place {
  const path = location.pathname.startsWith(base)
    ? location.pathname.slice(base.length)
    : location.pathname;
  return {
    path: path === '' ? '/' : path,
    query: new URLSearchParams(location.search),
    hash: decode(location.hash.slice(1)),
  };
}

/** here is the current address. It is reactive. */
export function here(): Place {
  return place;
}

/** href is the link to a path of the dashboard. */
export function href(path: string): string {
  return base + path;
}

/** go opens a path in a new history entry. */
export function go(path: string): void {
  history.pushState(null, '', href(path));
  place = read();
}

/** swap replaces the address of the current history entry. */
export function swap(path: string): void {
  history.replaceState(history.state, '', href(path));
  place = read();
}

/** withQuery is the current path with some parameters changed; undefined removes one. */
export function withQuery(change: Record<string, string | undefined>): string {
  const query = new URLSearchParams(place.query);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return place.path + (text === '' ? '' : `?${text}`) + (place.hash === '' ? '' : `#${place.hash}`);
}

/** match returns the named parts of a path such as "/s/:id/b/:leaf", or undefined if it does not
 * match. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const want = pattern.split('/');
  const got = path.replace(/(.)\/$/, '$1').split('/');
  if (want.length !== got.length) return undefined;
  const found: Record<string, string> = {};
  for (const [i, part] of want.entries()) {
    const value = got[i] ?? '';
    if (part.startsWith(':')) found[part.slice(1)] = decode(value);
    else if (part !== value) return undefined;
  }
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray % stands for itself
  }
}

/** follow opens links to the dashboard without reloading it. */
export function follow(): void {
  addEventListener('popstate', () => (place = read()));
  document.addEventListener('click', (e) => {
    if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey)
      return;
    const link = (e.target as Element | null)?.closest('a');
    if (!link || link.target !== '' || link.hasAttribute('download')) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !url.pathname.startsWith(`${base}/`)) return;
    e.preventDefault();
    go(url.pathname.slice(base.length) + url.search + url.hash);
  });
}
