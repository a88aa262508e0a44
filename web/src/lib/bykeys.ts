// Whether the user works with the keyboard. Only then does the focus follow what is
// opened: to others its ring would be noise.

let keyboard = false;
addEventListener('keydown', () => (keyboard = true), true);
addEventListener('pointerdown', () => (keyboard = false), true);

/** focusLost reports whether a keyboard user has the focus nowhere. */
export function focusLost(): boolean {
  return keyboard && document.activeElement === document.body;
}
