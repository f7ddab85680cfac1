import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { jwks } from '@muster/contracts';
import { AppError } from '../errors.ts';

const FRESH_MS = 5 * 60_000;
const UNKNOWN_KID_PAUSE_MS = 30_000;
const FETCH_TIMEOUT_MS = 3_000;

/**
 * The public keys of identity, fetched from its JWKS address and cached. A key id that is not known makes one
 * fetch in 30 s at most, so that invented ids cost nothing.
 */
export function keyStore(url: string) {
  let keys = new Map<string, KeyObject>();
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let underway: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    underway ??= load(url)
      .then((loaded) => {
        keys = loaded;
        fetchedAt = performance.now();
      })
      .finally(() => {
        underway = null;
      });
    await underway;
  }

  /** The key of an id, or null when identity does not publish it. Raises `unavailable` when identity cannot be asked. */
  return async function keyOf(kid: string): Promise<KeyObject | null> {
    const age = performance.now() - fetchedAt;
    const known = keys.get(kid);
    if (known && age < FRESH_MS) return known;
    if (known) {
      // A stale key is still good while identity cannot be reached.
      await refresh().catch(() => undefined);
      return keys.get(kid) ?? null;
    }
    if (age < UNKNOWN_KID_PAUSE_MS) return null;
    await refresh();
    return keys.get(kid) ?? null;
  };
}

async function load(url: string): Promise<Map<string, KeyObject>> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${response.status}`);
    const { keys } = jwks.parse(await response.json());
    return new Map(keys.map((key) => [key.kid, createPublicKey({ key: key as JsonWebKey, format: 'jwk' })]));
  } catch (cause) {
    throw new AppError('unavailable', 'Tokens cannot be checked right now: try again in a moment.', {
      headers: { 'retry-after': '2' },
      cause,
    });
  }
}
