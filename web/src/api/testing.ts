// A server for unit tests: replies by path, and the requests it received.

import { vi } from 'vitest';

export interface Received {
  method: string;
  path: string; // below /api/v1
  query: Record<string, string>;
  body: unknown;
}

type Answer = (request: Received) => unknown;

/** serve replaces fetch until vi.unstubAllGlobals is called. The keys of answers are such as
 * "GET /sessions"; a path that is not there is a 404. */
export function serve(answers: Record<string, Answer>): Received[] {
  const received: Received[] = [];
  vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://test');
    const request: Received = {
      method: init.method ?? 'GET',
      path: decodeURIComponent(url.pathname.replace('/api/v1', '')),
      query: Object.fromEntries(url.searchParams),
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
    };
    received.push(request);
    const answer = answers[`${request.method} ${request.path}`];
    const found = answer !== undefined;
    const body = found ? answer(request) : { code: 'not_found', detail: 'no such thing' };
    if (init.signal?.aborted) return Promise.reject(new DOMException('aborted', 'AbortError'));
    return Promise.resolve(new Response(JSON.stringify(body), { status: found ? 200 : 404 }));
  });
  return received;
}

/** flush waits until pending replies are handled. */
export async function flush(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((done) => setTimeout(done, 0));
}
