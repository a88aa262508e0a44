// Colours of code, which the browser draws over the text without additional elements.
// In every language they mark four things: strings, comments, numbers, and the
// keywords that most languages share.

type Kind = 'string' | 'comment' | 'number' | 'word';

const kinds: Kind[] = ['string', 'comment', 'number', 'word'];
const most = 50_000; // characters of a block
const words = new Set(
  (
    'async await break case catch class const continue def default defer do elif else end enum export ' +
    'extends false final finally fn for foreach from func function go if impl import in interface is lambda ' +
    'let loop match mod module mut namespace new nil none not null or and package pass private protected pub ' +
    'public raise return select self static struct super switch then this throw trait true try type typeof ' +
    'undefined union use using var void when where while with yield local fi done echo'
  ).split(' '),
);

export interface Token {
  kind: Kind;
  from: number;
  to: number;
}

// Each part matches at least one character and none can match in two ways, so
// the time it takes grows with the text alone.
const parts =
  /(?<comment>\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/)?|(?<=^|\s)#(?!\[)[^\n]*|(?<=^|\s)--\s[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'|`[^`]*`?)|(?<number>\b\d[\w.]*)|(?<word>[A-Za-z_]\w*)/gm;

/** tokens finds what has a colour. */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  for (const m of text.matchAll(parts)) {
    const groups = m.groups ?? {};
    const kind = kinds.find((k) => groups[k] !== undefined);
    if (!kind || (kind === 'word' && !words.has(m[0]))) continue;
    found.push({ kind, from: m.index, to: m.index + m[0].length });
  }
  return found;
}

/** highlight colours the code below an element; the function it returns removes the colours. */
export function highlight(el: HTMLElement): () => void {
  if (!('highlights' in CSS)) return () => undefined;
  const made: [Kind, Range][] = [];
  for (const code of el.querySelectorAll('pre[data-lang] code')) {
    const text = code.firstChild;
    if (!(text instanceof Text) || text.length > most) continue;
    for (const token of tokens(text.data)) {
      const range = new Range();
      range.setStart(text, token.from);
      range.setEnd(text, token.to);
      layer(token.kind).add(range);
      made.push([token.kind, range]);
    }
  }
  return () => {
    for (const [kind, range] of made) layer(kind).delete(range);
  };
}

function layer(kind: Kind): Highlight {
  let found = CSS.highlights.get(`code-${kind}`);
  if (!found) {
    found = new Highlight();
    CSS.highlights.set(`code-${kind}`, found);
  }
  return found;
}
