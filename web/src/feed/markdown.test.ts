import { expect, test } from 'vitest';
import { markdown } from './markdown';

function drawn(text: string): HTMLElement {
  const at = document.createElement('div');
  at.append(markdown(text));
  return at;
}

const tags = new Set(
  'p pre code blockquote ul ol li table thead tbody tr th td hr strong em del br a span div'.split(
    ' ',
  ),
);

function check(at: HTMLElement): void {
  for (const el of at.querySelectorAll('*')) {
    expect(tags).toContain(el.localName);
    for (const name of el.getAttributeNames()) {
      expect(['class', 'href', 'rel', 'target', 'start', 'tabindex', 'data-lang']).toContain(name);
    }
    const href = el.getAttribute('href');
    if (href !== null) {
      expect(href).toMatch(/^(https?:\/\/|mailto:)/);
      expect(el.getAttribute('rel')).toBe('noopener noreferrer');
    }
  }
}

test('what people write is drawn', () => {
  const at = drawn(
    '# Title\n\nA **bold** `x < y` &amp; [link](https://example.org/a)\n\n- [x] done\n- two\n\n```go\nfunc f() {}\n```\n\n|a|b|\n|-|-|\n|1|2|\n',
  );
  expect(at.querySelector('p.h1')?.textContent).toBe('Title');
  expect(at.querySelector('strong')?.textContent).toBe('bold');
  expect(at.querySelector('p code')?.textContent).toBe('x < y');
  expect(at.textContent).toContain('& ');
  expect(at.querySelector('a')?.getAttribute('href')).toBe('https://example.org/a');
  expect(at.querySelector('.host')?.textContent).toBe(' (example.org)');
  expect(at.querySelector('li')?.textContent).toContain('☑');
  expect(at.querySelector('pre')?.dataset['lang']).toBe('go');
  expect(at.querySelectorAll('td').length).toBe(2);
  check(at);
});

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:x)',
  '![x](https://evil.example/x.png)',
  '![x](javascript:alert(1))',
  '<https://evil.example/"onmouseover="alert(1)>',
  '[x](https://a.example "t\\" onmouseover=alert(1)")',
  '<style>*{background:url(https://evil.example)}</style>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '```"><img src=x onerror=alert(1)>\ncode\n```',
  '[a]: javascript:alert(1)\n\n[a]',
  '| <img src=x onerror=alert(1)> |\n|-|\n| [x](javascript:1) |',
  '&lt;img src=x onerror=alert(1)&gt;',
];

test('an attack is text', () => {
  for (const text of attacks) {
    const at = drawn(text);
    check(at);
    expect(at.querySelector('img, script, svg, iframe, style, object, form, input')).toBeNull();
  }
});

test('raw HTML is shown as it was written', () => {
  expect(drawn('a <b>c</b> d').textContent).toBe('a <b>c</b> d');
  expect(drawn('<div>\nx\n</div>').textContent).toContain('<div>');
});

test('what cannot be followed is still text', () => {
  const deep = '> '.repeat(20_000) + 'x';
  expect(drawn(deep).textContent).toContain('x');
});
