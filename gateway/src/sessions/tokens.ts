import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, loginApi, ProblemError, sessionToken } from '@muster/contracts';
import { currentTrace } from '@muster/service-kit';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { type Upstream, unreachable } from '../upstreams/breaker.ts';

const KEPT_MS = 30_000;
/** A token goes on to services, and from there to jobs: it is not handed out shortly before its end. */
const MARGIN_MS = 30_000;
const MAX_KEPT = 10_000;
const RETRY_EVERY_MS = 100;
const REFUSALS = new Set([401, 403, 422]);

export interface SessionTokens {
  /**
   * The token that stands for a session's cookie; null where identity refuses it. Raises `unavailable` with
   * Retry-After while identity cannot be asked.
   */
  of(cookie: string): Promise<string | null>;
  /** Asks anew at the next use. */
  forget(cookie: string): void;
}

type Exchanged = z.output<typeof sessionToken> | null;
interface Kept {
  token: Promise<string | null>;
  /** On the clock of `performance.now()`. */
  until: number;
}

/**
 * Exchanges cookies at identity. A token is kept for 30 s at most, by a digest of the cookie; however many requests
 * come with one cookie at once, identity is asked once.
 * @param patienceMs how long identity may take, a restart included
 */
export function sessionTokens(identity: Upstream, patienceMs: number): SessionTokens {
  const kept = new LRUCache<string, Kept>({ max: MAX_KEPT });
  const exchange = exchangeAt(identity, patienceMs);
  /** Only while it is the one that is meant. */
  const drop = (key: string, entry: Kept) => {
    if (kept.peek(key) === entry) kept.delete(key);
  };

  function ask(key: string, cookie: string): Kept {
    const entry: Kept = { token: settle(), until: Number.POSITIVE_INFINITY };
    async function settle(): Promise<string | null> {
      const exchanged = await exchange(cookie).catch((error) => {
        drop(key, entry);
        throw error;
      });
      if (exchanged === null) drop(key, entry);
      else entry.until = performance.now() + keptFor(exchanged.expires_at);
      return exchanged?.token ?? null;
    }
    kept.set(key, entry);
    return entry;
  }

  return {
    async of(cookie) {
      if (!loginApi.endpoints.exchangeSession.body.safeParse({ cookie }).success) return null;
      const key = digest(cookie);
      const known = kept.get(key);
      return await (known && performance.now() < known.until ? known : ask(key, cookie)).token;
    },
    forget: (cookie) => void kept.delete(digest(cookie)),
  };
}

const keptFor = (expiresAt: string) => Math.min(KEPT_MS, Date.parse(expiresAt) - Date.now() - MARGIN_MS);
const digest = (cookie: string) => createHash('sha256').update(cookie).digest('base64url');

function exchangeAt({ url, breaker }: Upstream, patienceMs: number): (cookie: string) => Promise<Exchanged> {
  const identity = createClient(loginApi, { baseUrl: url.origin });

  return async (cookie) => {
    const passage = breaker.enter();
    const signal = AbortSignal.timeout(patienceMs);
    const trace = currentTrace();
    const headers = trace && { 'x-request-id': trace.requestId, traceparent: trace.traceparent };
    try {
      const call = () => identity.exchangeSession({ body: { cookie } }, { signal, headers });
      const { body } = await untilAnswered(call, signal);
      passage.succeeded();
      return sessionToken.parse(body);
    } catch (error) {
      if (error instanceof ProblemError) passage.succeeded();
      else passage.failed();
      if (error instanceof ProblemError && REFUSALS.has(error.status)) return null;
      throw unreachable('identity', error);
    }
  };
}

/** Asks until there is an answer or the time is over: an exchange may be repeated, it only reads. */
async function untilAnswered<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof ProblemError || signal.aborted) throw error;
      await pause(RETRY_EVERY_MS);
    }
  }
}
