import type { Api, Endpoint, EndpointCall, EndpointResult } from './endpoint.ts';
import type { Problem } from './problem.ts';

export interface ClientOptions {
  /** Without trailing slash, such as `http://127.0.0.1:8080`. */
  baseUrl: string;
  token?: string;
  headers?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** Sent as it is in place of a JSON body, with its own `content-type` in `headers`. */
  rawBody?: string | FormData | Uint8Array<ArrayBuffer>;
  signal?: AbortSignal;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export type Client<A extends Api> = {
  [Name in keyof A['endpoints']]: (
    call?: EndpointCall<A['endpoints'][Name]>,
    options?: CallOptions,
  ) => Promise<Answer<EndpointResult<A['endpoints'][Name]>>>;
};

/** A non-2xx answer, with the problem the service gave. */
export class ProblemError extends Error {
  readonly status: number;
  readonly problem: Problem;
  readonly headers: Headers;
  constructor(status: number, problem: Problem, headers: Headers) {
    super(`${status} ${problem.title}: ${problem.detail}`);
    this.status = status;
    this.problem = problem;
    this.headers = headers;
  }
}

/** A typed client for a service's declared endpoints. Its calls raise {@link ProblemError} on a non-2xx answer. */
export function createClient<A extends Api>(declared: A, options: ClientOptions): Client<A> {
  const calls = Object.entries(declared.endpoints).map(([name, endpoint]) => [
    name,
    (call?: Parameters<typeof request>[2], more?: CallOptions) => request(options, endpoint, call, more),
  ]);
  return Object.fromEntries(calls);
}

async function request(
  options: ClientOptions,
  endpoint: Endpoint,
  call: { params?: unknown; query?: unknown; body?: unknown } = {},
  more: CallOptions = {},
): Promise<Answer<unknown>> {
  const send = options.fetch ?? globalThis.fetch;
  const json = more.rawBody === undefined && call.body !== undefined;
  const response = await send(options.baseUrl + href(endpoint.path, call.params, call.query), {
    method: endpoint.method,
    redirect: 'manual',
    headers: {
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...(json && { 'content-type': 'application/json' }),
      ...options.headers,
      ...more.headers,
    },
    body: json ? JSON.stringify(call.body) : more.rawBody,
    signal: more.signal,
  });
  const body = await readBody(response);
  if (!response.ok && response.status !== 304) {
    throw new ProblemError(response.status, asProblem(response, body), response.headers);
  }
  return { status: response.status, headers: response.headers, body };
}

/** JSON and what is built on it, but not lines of it. */
const JSON_TYPE = /[/+]json\b/;

async function readBody(response: Response): Promise<unknown> {
  const received = await response.text();
  if (received === '') return undefined;
  if (!JSON_TYPE.test(response.headers.get('content-type') ?? '')) return received;
  try {
    return JSON.parse(received);
  } catch (error) {
    // A proxy's error may only claim to be JSON; what it says is still worth showing.
    if (response.ok) throw error;
    return received;
  }
}

function asProblem(response: Response, body: unknown): Problem {
  if (typeof body === 'object' && body !== null && 'type' in body) return body as Problem;
  const { pathname } = new URL(response.url || 'http://unknown/');
  return {
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    detail: String(body ?? ''),
    instance: pathname,
    request_id: '',
  };
}

/**
 * Fills a path's placeholders and appends a query; undefined fields are left out.
 * @throws TypeError for a value that cannot be a path segment: with it, the path would lead to another endpoint
 */
export function href(path: string, params: unknown = {}, query: unknown = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    segment(name, (params as Record<string, unknown>)[name]),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${filled}?${search}` : filled;
}

function segment(name: string, value: unknown): string {
  const text = String(value ?? '');
  // Dots are steps in a path however they are encoded, https://url.spec.whatwg.org/#double-dot-path-segment.
  if (['', '.', '..'].includes(text)) throw new TypeError(`"${text}" cannot stand for ${name} in a path`);
  return encodeURIComponent(text);
}
