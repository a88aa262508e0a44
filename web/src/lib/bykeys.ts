// Whoever goes by keys finds the focus where they are; to others its ring says nothing.

let keyed = false;
addEventListener('keydown', () => (keyed = true), true);
addEventListener('pointerdown', () => (keyed = false), true);

/** lost tells that somebody goes by keys and that nothing has the focus. */
export function lost(): boolean {
  return keyed && document.activeElement === document.body;
}
