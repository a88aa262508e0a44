// A way to a server that can be cut at any moment.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Cutter {
  url: string;
  host: string;
  /** lead sets the server that it leads to. */
  lead: (to: string) => void;
  /** cut ends every connection there is. */
  cut: () => void;
  stop: () => Promise<void>;
}

export async function cutter(): Promise<Cutter> {
  let port = 0;
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
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    lead: (to) => (port = Number(new URL(to).port)),
    cut,
    stop: () => {
      cut();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
