// The rows of a long list that are in the DOM: those on the screen and a few around
// them. All rows have the same height.

export interface Window {
  from: number;
  to: number; // exclusive
}

const around = 8;

export function visible(rows: number, height: number, top: number, screen: number): Window {
  const first = Math.floor(top / height);
  const last = Math.ceil((top + screen) / height);
  const from = Math.max(0, Math.min(first - around, rows - 1));
  return { from, to: Math.max(from, Math.min(rows, last + around)) };
}

/** revealed is the scroll position that shows a whole row with the least scrolling. */
export function revealed(row: number, height: number, top: number, screen: number): number {
  if (row * height < top) return row * height;
  return Math.max(top, (row + 1) * height - screen);
}
