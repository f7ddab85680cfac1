import { type AccessStanding, createClient, identityApi, standing } from '@muster/contracts';
import type { Actor } from '../auth/actor.ts';
import type { BaseConfig } from '../config.ts';
import { isProofOf, proofOf } from '../crypto/proof.ts';
import { AppError } from '../errors.ts';

const PURPOSE = 'standings';
const TIMEOUT_MS = 3_000;

/** Whose standing is asked for, and with which token they came. */
interface Bearer {
  org: string;
  user_id: string;
  jti: string;
}

const wordsOf = ({ org, user_id, jti }: Bearer) => [org, user_id, jti];

/** Whether who asks for somebody's standing is one of the services. */
export function isServiceAsking(secret: string, { proof, ...bearer }: Bearer & { proof: string }): boolean {
  return isProofOf(proof, secret, PURPOSE, wordsOf(bearer));
}

/**
 * Asks identity, which publishes its keys at `JWKS_URL`, for the standing of somebody of whom this service was told
 * nothing. Raises `unavailable` when identity does not answer: nobody is let in on the word of their token alone.
 */
export function standingSource({
  JWKS_URL,
  SERVICE_SECRET,
}: Pick<BaseConfig, 'JWKS_URL' | 'SERVICE_SECRET'>) {
  const client = createClient(identityApi, { baseUrl: new URL(JWKS_URL).origin });
  return async function ask(actor: Actor, tokenId: string): Promise<AccessStanding> {
    const bearer = { org: actor.org, user_id: actor.id, jti: tokenId };
    const proof = proofOf(SERVICE_SECRET, PURPOSE, wordsOf(bearer));
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return standing.parse((await client.readStanding({ body: { ...bearer, proof } }, { signal })).body);
    } catch (cause) {
      throw new AppError(
        'unavailable',
        'What you may do here cannot be found out right now: try again in a moment.',
        { headers: { 'retry-after': '2' }, cause },
      );
    }
  };
}
export type AskStanding = ReturnType<typeof standingSource>;
