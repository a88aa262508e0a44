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
