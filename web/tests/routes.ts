/** routes are the pages that are looked at in every theme and width. A name is that of
 * its picture; short ones are looked at in every change. */
export const routes: { name: string; path: string; short?: boolean }[] = [
  { name: 'home', path: '/', short: true },
  { name: 'projects', path: '/projects', short: true },
  { name: 'sessions', path: '/sessions', short: true },
  { name: 'sessions-table', path: '/sessions?view=table', short: true },
  { name: 'sessions-all', path: '/sessions?source=all&archived=yes' },
  { name: 'sessions-none', path: '/sessions?tag=nobody-has-this', short: true },
  { name: 'sessions-error', path: '/sessions?state=nonsense' },
  { name: 'project', path: '/p/parser-fq4e', short: true },
  { name: 'project-none', path: '/p/no-such-aaaa' },
  { name: 'search', path: '/search?q=half', short: true },
  { name: 'search-empty', path: '/search' },
  { name: 'search-none', path: '/search?q=zzznothing', short: true },
  { name: 'search-error', path: '/search?q=%2F(%2F' },
];
