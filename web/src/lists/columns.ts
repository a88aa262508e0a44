// The columns of the table of sessions and of its CSV file.

import { ago, bytes, count, date, money } from '../lib/format';
import {
  agentCount,
  costOf,
  modelName,
  projectName,
  stateOf,
  titleOf,
  type Session,
} from '../lib/session';

export interface Column {
  name: string;
  field: keyof Session; // that it shows; internal/ask checks it against the table of fields
  title: string;
  width: number; // px; 0 fills the rest
  number?: boolean;
  sort?: string; // the server's name of this order
  show: (s: Session, now: number) => string;
  value?: (s: Session) => string | number | undefined; // in the CSV file; default: show
}

export const columns: Column[] = [
  { name: 'title', field: 'title', title: 'Title', width: 0, sort: 'title', show: titleOf },
  { name: 'state', field: 'state', title: 'State', width: 80, show: stateOf },
  {
    name: 'project',
    field: 'project',
    title: 'Project',
    width: 104,
    show: projectName,
    value: (s) => s.projectPath,
  },
  {
    name: 'branch',
    field: 'gitBranch',
    title: 'Git branch',
    width: 128,
    show: (s) => s.gitBranch ?? '',
  },
  {
    name: 'model',
    field: 'model',
    title: 'Model',
    width: 96,
    show: (s) => (s.model ? modelName(s.model) : ''),
    value: (s) => s.model,
  },
  {
    name: 'messages',
    field: 'messageCount',
    title: 'Msgs',
    width: 56,
    number: true,
    sort: 'messages',
    show: (s) => count(s.messageCount),
    value: (s) => s.messageCount,
  },
  {
    name: 'prompts',
    field: 'promptCount',
    title: 'Prompts',
    width: 64,
    number: true,
    sort: 'prompts',
    show: (s) => count(s.promptCount),
    value: (s) => s.promptCount,
  },
  {
    name: 'branches',
    field: 'conversationCount',
    title: 'Branches',
    width: 72,
    number: true,
    sort: 'branches',
    show: (s) => (s.conversationCount > 1 ? count(s.conversationCount) : ''),
    value: (s) => s.conversationCount,
  },
  {
    name: 'agents',
    field: 'agentSessions',
    title: 'Agents',
    width: 56,
    number: true,
    show: (s) => (agentCount(s) > 0 ? count(agentCount(s)) : ''),
    value: agentCount,
  },
  {
    name: 'cost',
    field: 'cost',
    title: 'Cost',
    width: 64,
    number: true,
    sort: 'cost',
    show: (s) => {
      const cost = costOf(s);
      if (!cost || (cost.usd === 0 && (cost.unpricedModels ?? []).length === 0)) return '–';
      return cost.usd === null ? '?' : money(cost.usd);
    },
    value: (s) => costOf(s)?.usd ?? undefined,
  },
  {
    name: 'size',
    field: 'fileSize',
    title: 'Size',
    width: 72,
    number: true,
    sort: 'size',
    show: (s) => bytes(s.fileSize),
    value: (s) => s.fileSize,
  },
  { name: 'tags', field: 'tags', title: 'Tags', width: 96, show: (s) => (s.tags ?? []).join(', ') },
  {
    name: 'entrypoint',
    field: 'entrypoint',
    title: 'Entry point',
    width: 88,
    show: (s) => s.entrypoint ?? '',
  },
  {
    name: 'created',
    field: 'createdAt',
    title: 'Created',
    width: 116,
    sort: 'created',
    show: (s) => (s.createdAt ? date(s.createdAt) : ''),
    value: (s) => s.createdAt,
  },
  {
    name: 'active',
    field: 'lastActivityAt',
    title: 'Active',
    width: 56,
    number: true,
    sort: 'activity',
    show: (s, now) => ago(s.lastActivityAt, now),
    value: (s) => s.lastActivityAt,
  },
];

const storageKey = 'sesskeep.columns';
const defaults = [
  'title',
  'state',
  'project',
  'branch',
  'messages',
  'agents',
  'cost',
  'size',
  'active',
];

/** chosen lists the names of the visible columns. */
export function chosen(): string[] {
  const kept = localStorage.getItem(storageKey)?.split(',') ?? defaults;
  return columns.map((c) => c.name).filter((n) => n === 'title' || kept.includes(n));
}

export function choose(names: string[]): void {
  localStorage.setItem(storageKey, names.join(','));
}

/** csv is a table of sessions (RFC 4180). A cell that a spreadsheet would read as a formula becomes
 * text. */
export function csv(sessions: Session[]): string {
  const cell = (v: string | number | undefined): string => {
    let text = String(v ?? '');
    if (typeof v === 'string' && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const rows = sessions.map((s) => [
    s.id,
    ...columns.map((c) => (c.value ? c.value(s) : c.show(s, 0))),
  ]);
  const head = ['id', ...columns.map((c) => c.name)];
  return [head, ...rows].map((r) => r.map(cell).join(',')).join('\r\n') + '\r\n';
}
