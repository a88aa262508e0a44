// Requests to the server. The token is kept in the storage of this origin and sent as
// a bearer token. A cookie would also reach other servers on this machine.

import type { components, paths } from './schema';

export type Schemas = components['schemas'];

const prefix = '/api/v1';
const storageKey = 'sesskeep.token';

export function token(): string {
  return localStorage.getItem(storageKey) ?? '';
}

export function keepToken(value: string): void {
  if (value === '') localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, value);
}

/** Problem is a request that failed, in the words of the server. */
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

/** offline is the status of a Problem when the server cannot be reached. */
export const offline = 0;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** PathOf lists the paths of the OpenAPI document that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<Lowercase<M>, object> ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> =
  paths[P] extends Record<Lowercase<M>, infer O> ? O : never;
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : unknown;
type Parameters<T> = T extends { parameters: { path: infer P } } ? P : unknown;
type Content<T> = T extends { requestBody: infer B } ? WithUndefined<Json<B>> : unknown;
/** JSON leaves out a property that is undefined. */
type WithUndefined<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] };
type Success<T> = T extends { responses: { 200: infer B } } ? Json<B> : unknown;

/** Reply is what the server answers to a request that succeeds. */
export type Reply<P extends PathOf<M>, M extends Method = 'GET'> = Success<Operation<M, P>>;

export interface Options {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** OptionsOf are Options with the types of one operation. */
export type OptionsOf<M extends Method, P extends PathOf<M>> = Options & {
  path?: Parameters<Operation<M, P>>;
  body?: Content<Operation<M, P>>;
};

/** get sends a GET request of the document. */
export async function get<P extends PathOf<'GET'>>(
  path: P,
  options?: OptionsOf<'GET', P>,
): Promise<Reply<P>> {
  return ask('GET', path, options);
}

/** ask sends any request of the document and decodes the reply. Failures are Problems. */
export async function ask<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  options?: OptionsOf<M, P>,
): Promise<Reply<P, M>> {
  const reply = await send(method, path, options);
  const body: unknown = await reply.json();
  replyListeners.forEach((listener) => listener(body));
  return body as Reply<P, M>;
}

const replyListeners = new Set<(body: unknown) => void>();

/** onReply calls listener with every decoded reply until the returned function is called. */
export function onReply(listener: (body: unknown) => void): () => void {
  replyListeners.add(listener);
  return () => void replyListeners.delete(listener);
}

/** startJob sends a request that may take long, and returns the job that does it. */
export async function startJob<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  options?: OptionsOf<M, P>,
): Promise<Schemas['Job']> {
  const query = { ...options?.query, async: true };
  const reply = await send(method, path, { ...options, query });
  return (await reply.json()) as Schemas['Job'];
}

/** send returns the reply as it is: for those that are not JSON, or have no end. */
export async function send(method: Method, path: string, options: Options = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  const bearer = token();
  if (bearer !== '') headers.set('Authorization', `Bearer ${bearer}`);
  const init: RequestInit = { method, headers, credentials: 'omit', cache: 'no-cache' };
  if (options.body !== undefined) {
    headers.set('Content-Type', 'application/json');
    init.body = JSON.stringify(options.body);
  }
  if (options.signal) init.signal = options.signal;
  const reply = await fetch(address(path, options), init).catch((err: unknown) => {
    if (options.signal?.aborted) throw err;
    throw new Problem(offline, 'offline', 'The server is not responding.', 'Is sesskeep running?');
  });
  if (!reply.ok) throw await problem(reply);
  return reply;
}

/** address fills in the parameters of a path. */
export function address(path: string, options: Options = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(options.path?.[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return (filled.startsWith(prefix) ? '' : prefix) + filled + (text === '' ? '' : `?${text}`);
}

async function problem(reply: Response): Promise<Problem> {
  const body = (await reply.json().catch(() => ({}))) as Record<string, unknown>;
  const text = (name: string): string => (typeof body[name] === 'string' ? body[name] : '');
  return new Problem(
    reply.status,
    text('code') || String(reply.status),
    text('detail') || text('message') || text('title') || reply.statusText,
    text('hint'),
  );
}
