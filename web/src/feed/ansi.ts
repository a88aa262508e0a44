// What programs print. Colours and weights are taken over as classes of ours;
// every other control character is shown as a sign, so that nothing a program
// wrote can hide.

import { visible } from '../lib/text';

export interface Piece {
  text: string;
  style: string; // classes, separated by spaces
}

interface Pen {
  colour: number; // 0 to 15, or -1
  bold: boolean;
  dim: boolean;
  italic: boolean;
  under: boolean;
}

const plain: Pen = { colour: -1, bold: false, dim: false, italic: false, under: false };

/** ansi cuts a text into pieces of one style each. */
export function ansi(text: string): Piece[] {
  const pieces: Piece[] = [];
  let pen = plain;
  // eslint-disable-next-line no-control-regex -- they are what this is about
  const sgr = /\x1b\[([\d;:]{0,64})m/g;
  let from = 0;
  const add = (to: number): void => {
    if (to <= from) return;
    const piece = { text: visible(text.slice(from, to)), style: classes(pen) };
    const last = pieces.at(-1);
    if (last && last.style === piece.style) last.text += piece.text;
    else pieces.push(piece);
  };
  for (const found of text.matchAll(sgr)) {
    add(found.index);
    from = found.index + found[0].length;
    pen = apply(pen, (found[1] ?? '').split(/[;:]/).map(Number));
  }
  add(text.length);
  return pieces;
}

function classes(p: Pen): string {
  const list: string[] = [];
  if (p.colour >= 0) list.push(`c${p.colour % 8}`);
  if (p.bold || p.colour > 7) list.push('b');
  if (p.dim) list.push('d');
  if (p.italic) list.push('i');
  if (p.under) list.push('u');
  return list.join(' ');
}

function apply(pen: Pen, codes: number[]): Pen {
  let p = { ...pen };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 0) p = { ...plain };
    else if (code === 1) p.bold = true;
    else if (code === 2) p.dim = true;
    else if (code === 3) p.italic = true;
    else if (code === 4) p.under = true;
    else if (code === 22) p.bold = p.dim = false;
    else if (code === 23) p.italic = false;
    else if (code === 24) p.under = false;
    else if (code >= 30 && code <= 37) p.colour = code - 30;
    else if (code === 39) p.colour = -1;
    else if (code >= 90 && code <= 97) p.colour = code - 82;
    else if (code === 38 || code === 48) {
      const rgb = codes[i + 1] === 2;
      const colour = rgb
        ? nearest(codes[i + 2] ?? 0, codes[i + 3] ?? 0, codes[i + 4] ?? 0)
        : indexed(codes[i + 2] ?? 0);
      if (code === 38) p.colour = colour;
      i += rgb ? 4 : 2;
    }
  }
  return p;
}

function indexed(n: number): number {
  if (n < 16) return n;
  if (n >= 232) return n < 244 ? 0 : 7;
  const c = n - 16;
  const level = (k: number): number => (k % 6) * 51;
  return nearest(level(Math.floor(c / 36)), level(Math.floor(c / 6)), level(c));
}

/** nearest is one of the eight colours: ours can be read on our ground. */
function nearest(r: number, g: number, b: number): number {
  const most = Math.max(r, g, b);
  if (most < 40) return 0;
  const on = (v: number): boolean => v > most * 0.6;
  return (on(r) ? 1 : 0) + (on(g) ? 2 : 0) + (on(b) ? 4 : 0);
}
