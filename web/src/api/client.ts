// Requests to the server. The token is a bearer token kept for this origin
// alone: no cookie, so that no other server of this machine is ever sent it.

import type { components, paths } from './schema';

export type Schemas = components['schemas'];

const prefix = '/api/v1';
const place = 'sesskeep.token';

export function token(): string {
  return localStorage.getItem(place) ?? '';
}

export function keepToken(value: string): void {
  if (value === '') localStorage.removeItem(place);
  else localStorage.setItem(place, value);
}

/** Problem is an answer that is no success, with what the server says about it. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** offline tells a server that cannot be reached from one that refuses. */
export const offline = 0;

type Get = { [P in keyof paths]: paths[P] extends { get: infer G } ? G : never };
type Body<T> = T extends { responses: { 200: { content: { 'application/json': infer B } } } }
  ? B
  : unknown;
type Path<T> = T extends { parameters: { path: infer P } } ? P : unknown;

/** Gets is what a GET of a path of the document answers. */
export type Gets<P extends keyof paths> = Body<Get[P]>;

export interface Asked {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** get reads one path of the OpenAPI document, with its type. */
export async function get<P extends keyof paths>(
  path: P,
  asked?: Asked & { path?: Path<Get[P]> },
): Promise<Gets<P>> {
  return (await ask('GET', path, asked)) as Gets<P>;
}

/** ask sends any request and decodes the answer. Failures are Problems. */
export async function ask(method: string, path: string, asked: Asked = {}): Promise<unknown> {
  const answer = await send(method, path, asked);
  if (answer.status === 204) return undefined;
  return answer.json();
}

/** send is ask for answers that are not JSON. */
export async function send(method: string, path: string, asked: Asked = {}): Promise<Response> {
  const headers = new Headers(asked.headers);
  const bearer = token();
  if (bearer !== '') headers.set('Authorization', `Bearer ${bearer}`);
  const init: RequestInit = { method, headers, credentials: 'omit', cache: 'no-cache' };
  if (asked.body !== undefined) {
    headers.set('Content-Type', 'application/json');
    init.body = JSON.stringify(asked.body);
  }
  if (asked.signal) init.signal = asked.signal;
  const answer = await fetch(address(path, asked), init).catch((err: unknown) => {
    if (asked.signal?.aborted) throw err;
    throw new Problem(offline, 'offline', 'The server does not answer.', 'Is sesskeep running?');
  });
  if (!answer.ok) throw await problem(answer);
  return answer;
}

/** address fills in a path of the document. */
export function address(path: string, asked: Asked = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(asked.path?.[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return (filled.startsWith(prefix) ? '' : prefix) + filled + (text === '' ? '' : `?${text}`);
}

async function problem(answer: Response): Promise<Problem> {
  const said = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  const text = (name: string): string => (typeof said[name] === 'string' ? said[name] : '');
  return new Problem(
    answer.status,
    text('code') || String(answer.status),
    text('detail') || text('message') || text('title') || answer.statusText,
    text('hint'),
  );
}
