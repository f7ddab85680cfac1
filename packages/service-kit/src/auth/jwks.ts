import { KeyObject } from 'node:crypto';
import { jwks } from '@muster/contracts';
import { createRemoteJWKSet, customFetch, errors, type FetchImplementation } from 'jose';
import { AppError } from '../errors.ts';
import { TOKEN_ALGORITHM } from './token.ts';

/** How long keys are good without asking, where identity does not say, and at most; a second at least. */
const FRESH_S = 60;
const UNKNOWN_KID_PAUSE_MS = 30_000;
const FAILED_PAUSE_S = 3;
const FETCH_TIMEOUT_MS = 3_000;

/**
 * The public keys of identity, fetched from its JWKS address and kept for as long as it says, a minute at most: by then
 * a key that was taken out verifies nothing any more. While identity cannot be reached, what is known stays good. A key
 * id that is not known makes one fetch in 30 s at most, so that invented ids cost nothing.
 */
export function keyStore(url: string) {
  const answers = lastAnswer();
  const keys = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: FRESH_S * 1000,
    cooldownDuration: UNKNOWN_KID_PAUSE_MS,
    timeoutDuration: FETCH_TIMEOUT_MS,
    [customFetch]: answers.fetch,
  });

  /** The key of an id, or null when identity does not publish it. Raises `unavailable` when identity cannot be asked. */
  return async function keyOf(kid: string): Promise<KeyObject | null> {
    try {
      if (!answers.isFresh()) await keys.reload();
      return KeyObject.from(await keys({ alg: TOKEN_ALGORITHM, kid }));
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey) return null;
      throw new AppError('unavailable', 'Tokens cannot be checked right now: try again in a moment.', {
        headers: { 'retry-after': '2' },
        cause,
      });
    }
  };
}

/** Fetches, and gives the last good answer again while there is no other. */
function lastAnswer() {
  let last: string | undefined;
  let freshUntil = Number.NEGATIVE_INFINITY;
  const keep = (seconds: number) => {
    freshUntil = performance.now() + seconds * 1000;
  };
  const fetchOrRepeat: FetchImplementation = async (url, init) => {
    try {
      const response = await fetch(url, init);
      if (!response.ok) throw new Error(`${response.status}`);
      last = JSON.stringify(jwks.parse(await response.json()));
      keep(freshSeconds(response.headers.get('cache-control')));
    } catch (error) {
      if (last === undefined) throw error;
      keep(FAILED_PAUSE_S);
    }
    return new Response(last);
  };
  return { fetch: fetchOrRepeat, isFresh: () => performance.now() < freshUntil };
}

function freshSeconds(cacheControl: string | null): number {
  const said = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  return Math.max(1, Math.min(said === undefined ? FRESH_S : Number(said), FRESH_S));
}
