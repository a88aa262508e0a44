// A change as lines with numbers, and in a line that was changed the words that
// are different.

export interface Hunk {
  oldStart?: number;
  newStart?: number;
  lines: string[];
}

export interface Word {
  text: string;
  changed: boolean;
}

export interface Line {
  sign: '+' | '-' | ' ';
  before: number | undefined; // its number; undefined if there is none
  after: number | undefined;
  words: Word[];
}

/** diff is the lines of a hunk. */
export function diff(hunk: Hunk): Line[] {
  const lines: Line[] = [];
  let before = hunk.oldStart ?? 0;
  let after = hunk.newStart ?? 0;
  for (const text of hunk.lines) {
    const sign = text.startsWith('+') ? '+' : text.startsWith('-') ? '-' : ' ';
    const words = [{ text: text.slice(1), changed: false }];
    lines.push({
      sign,
      before: hunk.oldStart && sign !== '+' ? before : undefined,
      after: hunk.newStart && sign !== '-' ? after : undefined,
      words,
    });
    if (sign !== '+') before++;
    if (sign !== '-') after++;
  }
  mark(lines);
  return lines;
}

/** mark pairs lines that were removed with those that took their place. */
function mark(lines: Line[]): void {
  for (let i = 0; i < lines.length;) {
    let added = i;
    while (lines[added]?.sign === '-') added++;
    let end = added;
    while (lines[end]?.sign === '+') end++;
    for (let k = 0; i + k < added && added + k < end; k++) {
      const old = lines[i + k] as Line;
      const now = lines[added + k] as Line;
      const both = words(old.words[0]?.text ?? '', now.words[0]?.text ?? '');
      if (both) [old.words, now.words] = both;
    }
    i = Math.max(end, i + 1);
  }
}

const most = 200; // words of a line that are compared

/** words compares two lines; undefined if they have too little in common. */
export function words(old: string, now: string): [Word[], Word[]] | undefined {
  const a = old.match(/\w+|\s+|[^\w\s]/gu) ?? [];
  const b = now.match(/\w+|\s+|[^\w\s]/gu) ?? [];
  if (a.length > most || b.length > most) return undefined;
  const common = longest(a, b);
  const left: Word[] = [];
  const right: Word[] = [];
  let same = 0;
  let i = 0;
  let j = 0;
  for (const [x, y] of [...common, [a.length, b.length] as const]) {
    while (i < x) put(left, a[i++] as string, true);
    while (j < y) put(right, b[j++] as string, true);
    if (x === a.length) break;
    if (/\w/.test(a[i] as string)) same += (a[i] as string).length;
    put(left, a[i++] as string, false);
    put(right, b[j++] as string, false);
  }
  if (same * 3 < Math.min(old.trim().length, now.trim().length)) return undefined;
  return [left, right];
}

function put(list: Word[], text: string, changed: boolean): void {
  const last = list.at(-1);
  if (last && last.changed === changed) last.text += text;
  else list.push({ text, changed });
}

/** longest is the longest common subsequence, as pairs of places; a word weighs more than what is
 * between words. */
function longest(a: string[], b: string[]): [number, number][] {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] =
        a[i] === b[j]
          ? (table[(i + 1) * width + j + 1] as number) + (/\w/.test(a[i] as string) ? 4 : 1)
          : Math.max(table[(i + 1) * width + j] as number, table[i * width + j + 1] as number);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if ((table[(i + 1) * width + j] as number) >= (table[i * width + j + 1] as number)) i++;
    else j++;
  }
  return pairs;
}

/** Pair is what stands beside each other: a line before and after. */
export interface Pair {
  before: Line | undefined;
  after: Line | undefined;
}

/** pairs puts what was removed beside what took its place. */
export function pairs(lines: Line[]): Pair[] {
  const list: Pair[] = [];
  for (let i = 0; i < lines.length;) {
    if (lines[i]?.sign === ' ') {
      list.push({ before: lines[i], after: lines[i] });
      i++;
      continue;
    }
    const removed: Line[] = [];
    const added: Line[] = [];
    for (; lines[i]?.sign === '-'; i++) removed.push(lines[i] as Line);
    for (; lines[i]?.sign === '+'; i++) added.push(lines[i] as Line);
    for (let n = 0; n < Math.max(removed.length, added.length); n++)
      list.push({ before: removed[n], after: added[n] });
  }
  return list;
}
