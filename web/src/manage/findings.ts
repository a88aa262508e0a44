// A check-up as a list of findings, in the words of "sesskeep doctor".

import type { Schemas } from '../api/client';
import { bytes, date, many } from '../lib/format';
import { words } from './homes';

type Health = Schemas['Health'];

export interface Finding {
  level: 'ok' | 'note' | 'bad';
  title: string;
  about?: string;
  details: string[];
  link?: string;
  /** next is the page on which something can be done about it. */
  next?: { word: string; link: string };
  /** repair is the session that can be mended. */
  repair?: { id: string; root: string };
}

/** findings are all of them; what is in order is said too. */
export function findings(h: Health): Finding[] {
  return [
    ...(h.roots ?? []).map(home),
    ...(h.retention ?? []).map((r) => retention(h, r)),
    ...damage(h),
    ...copies(h),
    ...server(h),
    unknown(h),
    clients(h),
    ...twins(h),
  ];
}

function home(r: Schemas['RootHealth']): Finding {
  if (r.error) {
    return { level: 'bad', title: `${r.root} cannot be read`, about: r.error, details: [] };
  }
  const orphaned =
    r.orphanedFileCount > 0
      ? [
          `${many(r.orphanedFileCount, 'file')} of sessions that are gone (${bytes(r.orphanedFileSize)})`,
        ]
      : [];
  return {
    level: 'ok',
    title: `${r.root} is readable`,
    about: `${many(r.fileCount, 'file')}, ${bytes(r.fileSize)}, ${many(r.transcriptCount, 'transcript')}`,
    details: orphaned,
    ...(orphaned.length > 0 ? { next: { word: 'Storage', link: '/storage' } } : {}),
  };
}

function retention(h: Health, r: Schemas['RetentionHealth']): Finding {
  const soon = r.expiring ?? [];
  const from = r.file ? `set by ${r.file}` : 'default; no cleanupPeriodDays in the settings';
  return {
    level: soon.length > 0 ? 'note' : 'ok',
    title:
      `Claude Code deletes transcripts after ${many(r.days, 'day')} ${words(h, r.root)}`.trim(),
    about: `${from}; ${soon.length === 0 ? 'none' : many(soon.length, 'session')} within 3 days`,
    details: soon.map((s) => `${date(s.expiresAt)}  ${s.title || s.id}`),
    next: { word: soon.length > 0 ? 'Keep copies' : 'Change', link: '/kept' },
  };
}

function damage(h: Health): Finding[] {
  const files = h.damaged ?? [];
  if (files.length === 0) return [{ level: 'ok', title: 'No damaged lines', details: [] }];
  return files.map((f) => {
    const id = /([0-9a-f-]{36})\.jsonl$/.exec(f.file)?.[1];
    const saved = f.problemCount - f.lostCount;
    const counts = [
      f.lostCount > 0 ? `${many(f.lostCount, 'record')} lost` : '',
      saved > 0 ? `${saved} recovered` : '',
    ].filter((t) => t !== '');
    const reasons = (f.reasons ?? []).map((r) => r.reason).join(', ');
    if (f.unreadable) {
      return { level: 'bad', title: `${f.file} cannot be read`, about: reasons, details: [] };
    }
    return {
      level: f.lostCount > 0 ? 'bad' : 'note',
      title: `${f.file} has damaged lines`,
      about: `${counts.join(', ')}: ${reasons}`,
      details: (h.problems ?? [])
        .filter((p) => p.file === f.file && p.root === f.root)
        .map((p) => `line ${p.line ?? '?'}: ${p.reason}${p.lost ? ' (lost)' : ''}`),
      ...(id ? { link: `/s/${id}/raw`, repair: { id, root: f.root } } : {}),
    };
  });
}

function copies(h: Health): Finding[] {
  const flaws = h.copies.flaws ?? [];
  if (flaws.length === 0) return [];
  return [
    {
      level: 'bad',
      title: `${many(flaws.length, 'place')} damaged in the copies`,
      about: '"sesskeep keep verify --repair" repairs what its sources still have',
      details: flaws.map((f) => `${f.path}: ${f.reason}`),
      next: { word: 'Copies', link: '/kept' },
    },
  ];
}

/** server is who needs no token at it. */
function server(h: Health): Finding[] {
  const trust = h.server?.trust ?? [];
  if (trust.length === 0) return [];
  return [{ level: 'note', title: 'Some requests need no token', details: trust }];
}

function unknown(h: Health): Finding {
  const list = h.unknown ?? [];
  if (list.length === 0) {
    return { level: 'ok', title: 'Nothing unknown in the transcripts', details: [] };
  }
  return {
    level: 'note',
    title: `${many(list.length, 'thing')} in the transcripts that sesskeep does not know`,
    about: 'A newer Claude Code writes them; they are kept as they are.',
    details: list.map(
      (u) => `${u.what} ${u.name}, ${u.count} times${u.version ? ` (${u.version})` : ''}`,
    ),
  };
}

function clients(h: Health): Finding {
  const left = h.leftovers ?? [];
  if (left.length === 0) {
    return { level: 'ok', title: `${many(h.runningCount, 'client')} running`, details: [] };
  }
  return {
    level: 'note',
    title: `${many(left.length, 'client')} registered and not running here`,
    about: 'killed, or in another container',
    details: left.map((l) => `${l.file}: process ${l.pid}, session ${l.sessionId}`),
  };
}

function twins(h: Health): Finding[] {
  const list = h.twins ?? [];
  if (list.length === 0) return [];
  return [
    {
      level: 'note',
      title: `${many(list.length, 'transcript')} with a newer twin, left out of lists`,
      details: list.map((t) => t.file),
    },
  ];
}
