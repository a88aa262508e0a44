// The theme: that of the system, or the one that was chosen.

export const themes = ['system', 'dark', 'light', 'contrast'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'sesskeep.theme';
const light = matchMedia('(prefers-color-scheme: light)');
const more = matchMedia('(prefers-contrast: more)');

let chosen = $state<Theme>(read());

function read(): Theme {
  const kept = localStorage.getItem(storageKey);
  return themes.find((t) => t === kept) ?? 'system';
}

export function theme(): Theme {
  return chosen;
}

export function setTheme(t: Theme): void {
  chosen = t;
  localStorage.setItem(storageKey, t);
  show();
}

/** show applies the theme, also after the system's has changed. */
export function show(): void {
  document.documentElement.dataset['theme'] =
    chosen !== 'system' ? chosen : more.matches ? 'contrast' : light.matches ? 'light' : 'dark';
}

light.addEventListener('change', show);
more.addEventListener('change', show);
