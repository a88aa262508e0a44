// Markdown as nodes of the document. Nothing is ever parsed as HTML: the lexer
// gives tokens, and only the elements named here are made of them. Raw HTML is
// shown as the text it is, and nothing is loaded from elsewhere.

import { Lexer, type Token, type Tokens } from 'marked';

/** markdown is a text as nodes. */
export function markdown(text: string): DocumentFragment {
  const all = document.createDocumentFragment();
  let tokens: Token[];
  try {
    tokens = new Lexer({ gfm: true, breaks: true }).lex(text);
  } catch {
    all.append(element('pre', text)); // deeper than it can follow
    return all;
  }
  blocks(all, tokens);
  return all;
}

function element(tag: string, ...content: (string | Node)[]): HTMLElement {
  const made = document.createElement(tag);
  made.append(...content);
  return made;
}

function blocks(into: Node, tokens: Token[]): void {
  for (const token of tokens) {
    const made = block(token);
    if (made) into.appendChild(made);
  }
}

function block(token: Token): Node | undefined {
  switch (token.type) {
    case 'space':
    case 'def':
      return undefined;
    case 'heading':
      // The page has headings of its own, so those of a text are none.
      return spans(element('p'), token as Tokens.Heading, `h h${(token as Tokens.Heading).depth}`);
    case 'paragraph':
      return spans(element('p'), token as Tokens.Paragraph);
    case 'code':
      return code(token as Tokens.Code);
    case 'blockquote': {
      const quote = element('blockquote');
      blocks(quote, (token as Tokens.Blockquote).tokens);
      return quote;
    }
    case 'list':
      return list(token as Tokens.List);
    case 'table':
      return table(token as Tokens.Table);
    case 'hr':
      return element('hr');
    case 'text':
      return spans(element('p'), token as Tokens.Text);
    default:
      return element('p', token.raw); // raw HTML, and tokens that we do not know
  }
}

function code(token: Tokens.Code): Node {
  const pre = element('pre', element('code', token.text));
  const lang = /^[\w+#.-]{1,20}/.exec(token.lang ?? '')?.[0];
  if (lang) pre.dataset['lang'] = lang;
  pre.tabIndex = 0; // it scrolls, so keys have to reach it
  return pre;
}

function list(token: Tokens.List): Node {
  const made = element(token.ordered ? 'ol' : 'ul');
  if (token.ordered && typeof token.start === 'number') {
    (made as HTMLOListElement).start = token.start;
  }
  for (const item of token.items) {
    const row = element('li');
    if (item.task) {
      row.className = 'task';
      row.append(item.checked ? '☑ ' : '☐ ');
    }
    for (const part of item.tokens) {
      if (part.type === 'checkbox') continue;
      if (part.type === 'text') spans(row, part as Tokens.Text);
      else blocks(row, [part]);
    }
    made.append(row);
  }
  return made;
}

function table(token: Tokens.Table): Node {
  const row = (cells: Tokens.TableCell[], tag: string): HTMLElement =>
    element('tr', ...cells.map((cell) => spans(element(tag), cell)));
  const made = element(
    'table',
    element('thead', row(token.header, 'th')),
    element('tbody', ...token.rows.map((cells) => row(cells, 'td'))),
  );
  const around = element('div', made);
  around.className = 'table';
  around.tabIndex = 0;
  return around;
}

/** spans puts the inline tokens of a block into an element. */
function spans(
  into: HTMLElement,
  token: { tokens?: Token[]; text: string },
  name = '',
): HTMLElement {
  if (name !== '') into.className = name;
  if (token.tokens) for (const part of token.tokens) into.append(span(part));
  else into.append(entities(token.text));
  return into;
}

const wraps: Record<string, string> = { strong: 'strong', em: 'em', del: 'del' };

function span(token: Token): string | Node {
  const wrap = wraps[token.type];
  if (wrap !== undefined) {
    return spans(element(wrap), token as Tokens.Strong);
  }
  switch (token.type) {
    case 'codespan':
      return element('code', (token as Tokens.Codespan).text);
    case 'br':
      return element('br');
    case 'link':
      return link(token as Tokens.Link);
    case 'image': {
      const image = token as Tokens.Image;
      return element(
        'span',
        `[image: ${image.text || 'no name'}] `,
        anchor(image.href, image.href),
      );
    }
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'text': {
      const text = token as Tokens.Text;
      return text.tokens ? spans(element('span'), text) : entities(text.text);
    }
    default:
      return token.raw;
  }
}

/** link shows where it leads, unless its text says so itself. */
function link(token: Tokens.Link): Node {
  const url = allowed(token.href);
  const made = spans(element('span'), token);
  if (!url) return made;
  const to = anchor(token.href, '');
  to.append(...made.childNodes);
  const host = url.protocol === 'mailto:' ? url.pathname : url.host;
  if (made.textContent !== null && to.textContent?.includes(host)) return to;
  const hint = element('span', ` (${host})`);
  hint.className = 'host';
  return element('span', to, hint);
}

function anchor(href: string, text: string): HTMLElement {
  const url = allowed(href);
  if (!url) return element('span', text);
  const made = document.createElement('a');
  made.href = url.href;
  made.rel = 'noopener noreferrer';
  made.target = '_blank';
  made.append(text);
  return made;
}

/** allowed is an address that may be a link: of the web or of the mail. */
export function allowed(href: string): URL | undefined {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return undefined;
  try {
    const url = new URL(href);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** entities are the few that people write. */
function entities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (all, dec, hex, name) => {
    if (name) return named[name as string] ?? all;
    const code = dec ? Number(dec) : parseInt(hex as string, 16);
    return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
