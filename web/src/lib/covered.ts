// The coverage of a reply: how much of Claude Code's homes it was made from.

/** Coverage is the coverage of the API, with every field. */
export interface Coverage {
  complete: boolean;
  /** reading is set while files are read; total is 0 until they are counted. */
  reading: { files: number; total: number } | undefined;
  /** behind is why recent changes may be missing; empty if they are not. */
  behind: string;
  /** unreadable names what could not be read, with the reason. */
  unreadable: string[];
  unreadableCount: number;
}

export const whole: Coverage = {
  complete: true,
  reading: undefined,
  behind: '',
  unreadable: [],
  unreadableCount: 0,
};

interface Covered {
  coverage?: {
    complete: boolean;
    reading?: { files: number; total: number };
    behind?: { reason: string };
    unreadable?: { path?: string; reason: string }[] | null;
    unreadableCount?: number;
  };
}

/** decode returns how much of the homes a reply covers; undefined if it does not say. A search that
 * stopped at its budget covers the homes: only its own figures are a part. */
export function decode(reply: unknown): Coverage | undefined {
  const { coverage: c } = (reply ?? {}) as Covered;
  if (!c) return undefined;
  const unreadable = c.unreadable ?? [];
  return {
    complete: c.complete || !(c.reading || c.behind || unreadable.length > 0),
    reading: c.reading,
    behind: c.behind?.reason ?? '',
    unreadable: unreadable.map((u) => (u.path ? `${u.path}: ${u.reason}` : u.reason)),
    unreadableCount: c.unreadableCount ?? unreadable.length,
  };
}

/** advanced is what a reply says after another. One that took long was made from less than what
 * overtook it: progress only grows. */
export function advanced(was: Coverage, now: Coverage): Coverage {
  const late =
    was.reading?.total === now.reading?.total &&
    (now.reading?.files ?? 0) < (was.reading?.files ?? 0);
  return late ? { ...now, reading: was.reading } : now;
}
