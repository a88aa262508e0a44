import { describe, expect, it } from 'vitest';
import type { Schemas } from '../api/client';
import { findings } from './findings';
import { share } from './keeping';

const well: Schemas['Health'] = {
  roots: [
    {
      root: '/home/ada/.claude',
      fileCount: 3,
      fileSize: 2000,
      transcriptCount: 1,
      orphanedFileCount: 0,
      orphanedFileSize: 0,
    },
  ],
  retention: [{ root: '/home/ada/.claude', days: 30, expiring: [], overdueCount: 0 }],
  damaged: [],
  lostCount: 0,
  problems: [],
  unknown: [],
  runningCount: 1,
  leftovers: [],
  twins: [],
  copies: { flaws: [] },
  coverage: { complete: true },
};

describe('findings', () => {
  it('say that all is well', () => {
    expect(findings(well).map((f) => f.level)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  });

  it('name damaged copies', () => {
    const flaws = [{ path: '/data/vault/x.box/frames', reason: 'the frame at 0 is damaged' }];
    const found = findings({ ...well, copies: { flaws } }).find((f) => f.level === 'bad');
    expect(found).toMatchObject({
      title: '1 place damaged in the copies',
      details: ['/data/vault/x.box/frames: the frame at 0 is damaged'],
    });
  });

  it('offer no repair of a file that cannot be read', () => {
    const file = 'projects/-x/acec907e-6bae-4ca2-a72f-1d505050b5dc.jsonl';
    const reasons = [{ reason: 'permission denied', problemCount: 1 }];
    const closed = { area: 'transcripts', problemCount: 1, lostCount: 1, unreadable: true };
    const list = findings({ ...well, damaged: [{ root: '/h', file, reasons, ...closed }] });
    expect(list).toContainEqual({
      level: 'bad',
      title: `${file} cannot be read`,
      about: 'permission denied',
      details: [],
    });
  });

  it('name a damaged file, where to look and what repairs it', () => {
    const file = 'projects/-x/acec907e-6bae-4ca2-a72f-1d505050b5dc.jsonl';
    const root = '/home/ada/.claude';
    const list = findings({
      ...well,
      damaged: [{ root, file, area: 'transcripts', problemCount: 2, lostCount: 1, reasons: [] }],
      problems: [
        {
          area: 'transcripts',
          root,
          file,
          code: 'broken',
          line: 10,
          offset: 1,
          reason: 'cut off',
          lost: true,
        },
        { area: 'transcripts', root, file: 'other', code: 'form', offset: 1, reason: 'NUL bytes' },
      ],
    });
    const found = list.find((f) => f.level === 'bad');
    expect(found).toMatchObject({
      link: '/s/acec907e-6bae-4ca2-a72f-1d505050b5dc/raw',
      repair: { id: 'acec907e-6bae-4ca2-a72f-1d505050b5dc', root },
      details: ['line 10: cut off (lost)'],
    });
  });
});

it('is 100 % kept only if everything is', () => {
  expect(share({ coveredCount: 9999, sessionCount: 10_000 })).toBe('99 %');
  expect(share({ coveredCount: 10, sessionCount: 10 })).toBe('100 %');
  expect(share({ coveredCount: 0, sessionCount: 0 })).toBe('–');
});
