import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** chromium is the browser of this machine: the tests bring none. */
export const chromium = find(['chromium', 'chromium-browser', 'google-chrome']);

/** missing is why nothing can be tested here, or empty. */
export const missing = chromium
  ? ''
  : 'chromium is not installed (apt-get install chromium): nothing was tested in a browser';

function find(names: string[]): string | undefined {
  for (const dir of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of names) {
      try {
        accessSync(join(dir, name), constants.X_OK);
        return join(dir, name);
      } catch {
        continue;
      }
    }
  }
  return undefined;
}
