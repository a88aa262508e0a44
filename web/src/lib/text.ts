/** sentence makes one of what the server says. */
export function sentence(text: string): string {
  const s = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(s) ? s : `${s}.`;
}

/** plain is a text without the colours of a terminal. */
export function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  return text.replace(/\u001b\[[0-9;:]*m/g, '');
}

/** bare shows what a reader would not see: control characters, and those that turn
 * the direction of writing. Where something is asked for leave, nothing may hide. */
export function bare(text: string): string {
  return text.replace(
    // eslint-disable-next-line no-control-regex -- they are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
