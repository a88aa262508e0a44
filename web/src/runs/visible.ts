// Text that a person is about to allow is shown as it is: what would hide or turn
// other characters is drawn as its number.

export interface Piece {
  text: string;
  hidden: boolean; // a character that is drawn as its number
}

// What has no shape of its own: control characters, what turns the direction of
// writing, what has no width, other spaces, what is no character, and what stands
// for bytes that were no text.
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\uFFFD]/u;
const plain = ' \n\t';

/** visible cuts a text so that nothing in it stays unseen. */
export function visible(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const c of text) {
    const hidden = unseen.test(c) && !plain.includes(c);
    const last = pieces.at(-1);
    if (hidden) pieces.push({ text: name(c), hidden });
    else if (last && !last.hidden) last.text += c;
    else pieces.push({ text: c, hidden });
  }
  return pieces;
}

function name(c: string): string {
  return `⟨U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

export interface Field {
  name: string;
  text: string;
}

/** fields are everything that a tool would get, nothing left out. */
export function fields(input: unknown): Field[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return [{ name: 'input', text: JSON.stringify(input, null, 2) ?? '' }];
  }
  return Object.entries(input).map(([key, value]) => ({
    name: key,
    text: typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''),
  }));
}

export interface Change {
  sign: '+' | '-';
  text: string;
}

/** changeOf is what an edit takes away and puts there; undefined for what is no edit. */
export function changeOf(input: unknown): Change[] | undefined {
  const { old_string: was, new_string: is, content } = (input ?? {}) as Record<string, unknown>;
  const lines = (text: string, sign: Change['sign']): Change[] =>
    text.split('\n').map((line) => ({ sign, text: line }));
  if (typeof was === 'string' && typeof is === 'string') {
    return [...(was === '' ? [] : lines(was, '-')), ...(is === '' ? [] : lines(is, '+'))];
  }
  return typeof content === 'string' ? lines(content, '+') : undefined;
}
