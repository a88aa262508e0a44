// The size of text: everything grows together, and the page keeps its frame.

export const sizes = [90, 100, 110, 120, 130] as const;
export type Size = (typeof sizes)[number];

const place = 'sesskeep.size';
let chosen = $state<Size>(read());

function read(): Size {
  const kept = Number(localStorage.getItem(place));
  return sizes.find((s) => s === kept) ?? 100;
}

export function size(): Size {
  return chosen;
}

export function setSize(s: Size): void {
  chosen = s;
  localStorage.setItem(place, String(s));
  showSize();
}

/** showSize puts the size into force. */
export function showSize(): void {
  document.body.style.zoom = chosen === 100 ? '' : `${chosen}%`;
}
