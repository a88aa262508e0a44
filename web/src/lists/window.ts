// Which rows of a long list are in the document: those on the screen and a few
// around them. All rows are equally high.

export interface Window {
  from: number;
  to: number; // not included
}

const around = 8;

export function visible(rows: number, height: number, top: number, screen: number): Window {
  const first = Math.floor(top / height);
  const last = Math.ceil((top + screen) / height);
  const from = Math.max(0, Math.min(first - around, rows - 1));
  return { from, to: Math.max(from, Math.min(rows, last + around)) };
}

/** revealed is where to scroll so that a row is whole on the screen; as little as needed. */
export function revealed(row: number, height: number, top: number, screen: number): number {
  if (row * height < top) return row * height;
  return Math.max(top, (row + 1) * height - screen);
}
