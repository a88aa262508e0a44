// A way to a server that can be cut at any moment.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Cutter {
  url: string;
  /** cut ends every connection there is. */
  cut: () => void;
  stop: () => Promise<void>;
}

export async function cutter(to: string): Promise<Cutter> {
  const port = Number(new URL(to).port);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [a, b] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(a);
      a.pipe(b);
      a.on('error', () => undefined);
      a.on('close', () => {
        open.delete(a);
        b.destroy();
      });
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const cut = (): void => open.forEach((s) => s.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    stop: () => {
      cut();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
