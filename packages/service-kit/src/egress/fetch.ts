import { AppError } from '../errors.ts';
import { beginCall, type Call } from './call.ts';
import { checkedUrl, type EgressPolicy } from './policy.ts';
import { type Ask, isRedirect, redirected } from './redirect.ts';
import { type Resolve, systemResolve } from './resolver.ts';

/** What a call may take. */
export interface FetchLimits {
  policy: EgressPolicy;
  /** For everything, the last byte of the body included; default 15 s. */
  timeoutMs?: number;
  /** Of the body, unpacked; default 10 MiB. */
  maxBytes?: number;
  /** Default 5. */
  maxRedirects?: number;
  /** Who is asked for a name's addresses; default the system. */
  resolve?: Resolve;
}

export interface FetchOptions extends FetchLimits {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** The caller's own end, beside the deadline. */
  signal?: AbortSignal;
}

export interface Fetched<Body = Uint8Array> {
  status: number;
  headers: Headers;
  /** Where the answer came from, after redirects. */
  url: string;
  body: Body;
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 5;

/**
 * Calls an address that a user gave: https on the public internet, and what the policy names. What a name stands for is
 * looked at before, at each redirect again, and nothing else is connected to.
 * @returns the answer, whatever its status, with its whole body, unpacked
 * @throws AppError `url-not-allowed` for an address that may not be called, `bad-gateway` with a plain sentence for one
 * that gives no usable answer in time; what `signal` was aborted with
 */
export async function guardedFetch(url: string | URL, options: FetchOptions): Promise<Fetched> {
  const { body, ...answer } = await guardedStream(url, options);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { ...answer, body: Buffer.concat(chunks) };
}

/** As {@link guardedFetch}, but the body in pieces as they come; reading it raises what goes wrong by then. */
export async function guardedStream(
  url: string | URL,
  options: FetchOptions,
): Promise<Fetched<AsyncIterable<Uint8Array>>> {
  const { policy, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, maxRedirects = MAX_REDIRECTS } = options;
  const { signal, resolve = systemResolve } = options;
  let ask = firstAsk(checkedUrl(url, policy).url, options);
  const call = beginCall({ timeoutMs, signal, resolve });
  try {
    for (let left = maxRedirects; ; left -= 1) {
      const checked = checkedUrl(ask.url, policy);
      ask = { ...ask, url: checked.url };
      const { hostname, href } = ask.url;
      const { status, headers, body } = await call.ask(ask, checked.named);
      if (!isRedirect(status, headers)) {
        const pieces = bounded(body ?? [], maxBytes, hostname, call);
        return { status, headers: unpacked(headers), url: href, body: pieces };
      }
      await body?.cancel();
      if (left === 0)
        throw new AppError('bad-gateway', `${hostname} sends on more than ${maxRedirects} times.`);
      ask = redirected(ask, status, headers.get('location') ?? '');
    }
  } catch (error) {
    throw await call.failure(ask.url.hostname, error);
  }
}

/** `fetch` with {@link guardedStream} behind it, for libraries that take one. */
export function guardedFetcher(limits: FetchLimits): typeof globalThis.fetch {
  return async (input, init) => {
    checkedUrl(input instanceof Request ? input.url : input, limits.policy);
    const request = new Request(input, init);
    const sent = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const { method, signal } = request;
    const given = Object.fromEntries(request.headers);
    const answer = await guardedStream(request.url, {
      ...limits,
      method,
      headers: given,
      body: sent,
      signal,
    });
    const { status, headers } = answer;
    return new Response(BODILESS.has(status) ? null : ReadableStream.from(answer.body), { status, headers });
  };
}

const BODILESS = new Set([204, 205, 304]);

function firstAsk(url: URL, { method = 'GET', headers, body }: FetchOptions): Ask {
  const given = new Headers(headers);
  given.delete('host');
  if (!given.has('user-agent')) given.set('user-agent', 'Muster');
  return { url, method: method.toUpperCase(), headers: given, body };
}

/** Without the headers that speak of the packed body. */
function unpacked(given: Iterable<[string, string]>): Headers {
  const headers = new Headers([...given]);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return headers;
}

async function* bounded(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
  host: string,
  call: Call,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > maxBytes)
        throw new AppError('bad-gateway', `${host} answers with more than ${maxBytes} bytes.`);
      yield chunk;
    }
  } catch (error) {
    throw await call.failure(host, error);
  } finally {
    await call.end();
  }
}
