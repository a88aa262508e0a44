// The text size, which zooms the whole page.

export const sizes = [90, 100, 110, 120, 130] as const;
export type Size = (typeof sizes)[number];

const storageKey = 'sesskeep.size';
let chosen = $state<Size>(read());

function read(): Size {
  const kept = Number(localStorage.getItem(storageKey));
  return sizes.find((s) => s === kept) ?? 100;
}

export function size(): Size {
  return chosen;
}

export function setSize(s: Size): void {
  chosen = s;
  localStorage.setItem(storageKey, String(s));
  showSize();
}

/** showSize applies the size. */
export function showSize(): void {
  document.body.style.zoom = chosen === 100 ? '' : `${chosen}%`;
}
