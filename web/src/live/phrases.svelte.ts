// The phrases that the live wall looks for, as this browser keeps them.

import { usual } from './wall';

const place = 'sesskeep.smells';

let kept = $state.raw(read());

function read(): { on: boolean; list: string[] } {
  try {
    const got = JSON.parse(localStorage.getItem(place) ?? '') as { on?: boolean; list?: string[] };
    if (Array.isArray(got.list)) return { on: got.on !== false, list: got.list.map(String) };
  } catch {
    // nothing was kept, or not by us
  }
  return { on: true, list: usual };
}

/** phrases are those that are marked now: none if they are off. */
export function phrases(): string[] {
  return kept.on ? kept.list : [];
}

export function phraseList(): string[] {
  return kept.list;
}

export function phrasesOn(): boolean {
  return kept.on;
}

export function setPhrases(on: boolean, list: string[]): void {
  kept = { on, list: list.map((p) => p.trim()).filter((p) => p !== '') };
  localStorage.setItem(place, JSON.stringify(kept));
}
