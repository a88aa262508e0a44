const flaky = '39877941-aab8-4b02-abd4-e7471d0664fc'; // of the demo: three branches

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
  { name: 'conversation', path: `/s/${flaky}`, short: true },
  { name: 'conversation-full', path: `/s/${flaky}?thinking=full&tools=full&view=everything` },
  { name: 'conversation-branches', path: `/s/${flaky}?tab=branches` },
  { name: 'conversation-none', path: '/s/425f831a' },
  { name: 'conversation-error', path: '/s/no-such-session' },
  { name: 'tree', path: `/s/${flaky}/tree`, short: true },
  { name: 'compare', path: `/s/${flaky}/compare/1f6b482c...fb6d8a51` },
  { name: 'agent', path: `/s/${flaky}/a/a4369462bf3fc46e4` },
  { name: 'files', path: `/s/${flaky}/files` },
  { name: 'session-usage', path: `/s/${flaky}/usage` },
  { name: 'raw', path: `/s/${flaky}/raw?line=88` },
];
