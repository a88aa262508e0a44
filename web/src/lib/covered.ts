// The coverage of a reply, as the pages use it.

export interface Coverage {
  complete: boolean;
  /** reading is set while files are read. */
  reading: { files: number; total: number } | undefined;
  /** unreadable names what could not be read, with the reason. */
  unreadable: string[];
}

export const whole: Coverage = { complete: true, reading: undefined, unreadable: [] };

interface Reply {
  behind?: boolean;
  total?: number;
  user?: number;
}

/** decode returns how much of the homes a reply covers; undefined if it does not say. */
export function decode(reply: unknown): Coverage | undefined {
  const { behind, total, user } = (reply ?? {}) as Reply;
  if (behind === true) return { ...whole, complete: false };
  return total !== undefined && user !== undefined ? whole : undefined;
}
