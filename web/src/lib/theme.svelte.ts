// The theme: what the system says, or what was chosen here.

export const themes = ['system', 'dark', 'light', 'contrast'] as const;
export type Theme = (typeof themes)[number];

const place = 'sesskeep.theme';
const light = matchMedia('(prefers-color-scheme: light)');
const more = matchMedia('(prefers-contrast: more)');

let chosen = $state<Theme>(read());

function read(): Theme {
  const kept = localStorage.getItem(place);
  return themes.find((t) => t === kept) ?? 'system';
}

export function theme(): Theme {
  return chosen;
}

export function setTheme(t: Theme): void {
  chosen = t;
  localStorage.setItem(place, t);
  show();
}

/** show puts the theme into force; the system may change its mind later. */
export function show(): void {
  document.documentElement.dataset['theme'] =
    chosen !== 'system' ? chosen : more.matches ? 'contrast' : light.matches ? 'light' : 'dark';
}

light.addEventListener('change', show);
more.addEventListener('change', show);
