import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { jwks } from '@muster/contracts';
import { AppError } from '../errors.ts';

/** How long keys are good without asking, where identity does not say, and at most; a second at least. */
const FRESH_S = 60;
const UNKNOWN_KID_PAUSE_MS = 30_000;
const FAILED_PAUSE_MS = 3_000;
const FETCH_TIMEOUT_MS = 3_000;

/**
 * The public keys of identity, fetched from its JWKS address and kept for as long as it says, a minute at most: by then
 * a key that was taken out verifies nothing any more. While identity cannot be reached, what is known stays good. A key
 * id that is not known makes one fetch in 30 s at most, so that invented ids cost nothing.
 */
export function keyStore(url: string) {
  let known: Published = { keys: new Map(), freshMs: 0 };
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let underway: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    underway ??= load(url)
      .then((loaded) => {
        known = loaded;
        fetchedAt = performance.now();
      })
      .catch((error: unknown) => {
        failedAt = performance.now();
        throw error;
      })
      .finally(() => {
        underway = null;
      });
    await underway;
  }

  /** The key of an id, or null when identity does not publish it. Raises `unavailable` when identity cannot be asked. */
  return async function keyOf(kid: string): Promise<KeyObject | null> {
    const age = performance.now() - fetchedAt;
    const key = known.keys.get(kid);
    if (key && age < known.freshMs) return key;
    if (key) {
      const justFailed = performance.now() - failedAt < FAILED_PAUSE_MS;
      if (!justFailed) await refresh().catch(() => undefined);
      return known.keys.get(kid) ?? null;
    }
    if (age < Math.min(UNKNOWN_KID_PAUSE_MS, known.freshMs)) return null;
    await refresh();
    return known.keys.get(kid) ?? null;
  };
}

interface Published {
  keys: Map<string, KeyObject>;
  freshMs: number;
}

async function load(url: string): Promise<Published> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${response.status}`);
    const { keys } = jwks.parse(await response.json());
    return {
      keys: new Map(keys.map((key) => [key.kid, createPublicKey({ key: key as JsonWebKey, format: 'jwk' })])),
      freshMs: freshSeconds(response.headers.get('cache-control')) * 1000,
    };
  } catch (cause) {
    throw new AppError('unavailable', 'Tokens cannot be checked right now: try again in a moment.', {
      headers: { 'retry-after': '2' },
      cause,
    });
  }
}

function freshSeconds(cacheControl: string | null): number {
  const said = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  return Math.max(1, Math.min(said === undefined ? FRESH_S : Number(said), FRESH_S));
}
