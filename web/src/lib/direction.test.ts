import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepDirection } from './direction';

let end: () => void;
beforeEach(() => {
  document.body.replaceChildren();
  end = keepDirection(document);
});
afterEach(() => end());

const painted = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

function row(title: string): HTMLElement {
  const [e, a, code] = ['li', 'a', 'code'].map((tag) => document.createElement(tag));
  a?.append(title);
  code?.setAttribute('title', title);
  e?.append(a ?? '', code ?? '');
  return e as HTMLElement;
}

test('direction marks in titles are made visible', async () => {
  document.body.append(row('\u202egnp.exe'), row('a\u2066b\u2069 plain'));
  await painted();
  const rows = [...document.querySelectorAll('li')];
  expect(rows.map((r) => r.textContent)).toEqual(['⟨U+202E⟩gnp.exe', 'a⟨U+2066⟩b⟨U+2069⟩ plain']);
  expect(rows[0]?.querySelector('code')?.title).toBe('⟨U+202E⟩gnp.exe');
});

test('so are those that are added later', async () => {
  document.body.append(row('main'));
  await painted();
  const a = document.querySelector('a');
  const branch = a?.firstChild as Text;
  branch.nodeValue = 'feat/\u202dx';
  a?.setAttribute('aria-label', '\u202bx');
  await painted();
  expect(a?.textContent).toBe('feat/⟨U+202D⟩x');
  expect(a?.getAttribute('aria-label')).toBe('⟨U+202B⟩x');
});

test('right-to-left writing is not changed', async () => {
  document.body.append(row('שלום \u200f\u200e سلام می\u200cخواهم'));
  await painted();
  expect(document.body.textContent).toBe('שלום \u200f\u200e سلام می\u200cخواهم');
});
