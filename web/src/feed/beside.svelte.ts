// Whether a change is shown side by side, for all pages and the next visit.

const place = 'sesskeep.diff';
let on = $state(localStorage.getItem(place) !== 'inline');

export function beside(): boolean {
  return on;
}

export function setBeside(value: boolean): void {
  on = value;
  localStorage.setItem(place, value ? 'beside' : 'inline');
}
