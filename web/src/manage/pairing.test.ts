import { expect, it } from 'vitest';
import { deviceName, pairingCode } from './pairing';

it('finds the code in an address, behind a # and alone', () => {
  expect(pairingCode('https://10.0.0.2:7718/ui/pair#aBc-9.KEY')).toBe('aBc-9');
  expect(pairingCode('aBc-9.KEY')).toBe('aBc-9');
  expect(pairingCode(' aBc-9 ')).toBe('aBc-9');
  expect(pairingCode('')).toBe('');
});

it('names a device as people do', () => {
  const android =
    'Mozilla/5.0 (Linux; Android 15; Pixel) AppleWebKit/537.36 Chrome/148.0 Mobile Safari/537.36';
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Safari/604.1';
  expect(deviceName(android)).toBe('Chrome on Android');
  expect(deviceName(phone)).toBe('Safari on iPhone');
  expect(deviceName('curl')).toBe('Browser');
});
