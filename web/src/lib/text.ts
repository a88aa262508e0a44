/** sentence capitalizes a message of the server and ends it with a full stop. */
export function sentence(text: string): string {
  const s = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(s) ? s : `${s}.`;
}

/** plain removes the colour codes of a terminal. */
export function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- matching control characters is the point
  return text.replace(/\u001b\[[0-9;:]*m/g, '');
}

/** visible replaces control characters and direction marks with visible signs. */
export function visible(text: string): string {
  return (
    text
      .replaceAll('\r\n', '\n')
      // eslint-disable-next-line no-control-regex -- matching control characters is the point
      .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, sign)
  );
}

/** showDirection replaces only the characters that change the direction of the text after them. */
export function showDirection(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, sign);
}

function sign(c: string): string {
  const code = c.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  if (code === 0x200d || code === 0x200c) return c; // joiners, which emoji and some scripts need
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
