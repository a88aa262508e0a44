// What a device says when it is paired.

/** pairingCode is the code in what a QR code holds: an address, or what is behind its #. The key
 * of the server that may follow it is for apps. */
export function pairingCode(text: string): string {
  const last = text.trim().split('#').at(-1) ?? '';
  return last.split('.')[0] ?? '';
}

/** deviceName is what a list of devices calls this one: "Chrome on Android". */
export function deviceName(agent: string): string {
  const browser = pick(agent, [
    [/Firefox|FxiOS/, 'Firefox'],
    [/Edg/, 'Edge'],
    [/Chrome|CriOS/, 'Chrome'],
    [/Safari/, 'Safari'],
  ]);
  const system = pick(agent, [
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android'],
    [/Windows/, 'Windows'],
    [/Mac OS/, 'Mac'],
    [/Linux/, 'Linux'],
  ]);
  return [browser || 'Browser', system].filter((w) => w !== '').join(' on ');
}

function pick(agent: string, names: readonly (readonly [RegExp, string])[]): string {
  return names.find(([sign]) => sign.test(agent))?.[1] ?? '';
}
