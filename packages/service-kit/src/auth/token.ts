import type { KeyObject } from 'node:crypto';
import { ROLES, SCOPE_NAMES, type Scope, scopesOf } from '@muster/contracts';
import jsonwebtoken from 'jsonwebtoken';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Actor } from './actor.ts';

/** The last second that a date can hold. */
const LAST_SECOND = 8_640_000_000_000;

/** The claims of every token that identity signs. */
export const tokenClaims = z.object({
  sub: z.string().min(1),
  jti: z.string().min(1),
  org: z.string().min(1),
  name: z.string(),
  role: z.enum(ROLES),
  scopes: z.array(z.string()),
  kind: z.enum(['session', 'api_token']),
  exp: z.int().max(LAST_SECOND),
});
export type TokenClaims = z.output<typeof tokenClaims>;

export const TOKEN_ALGORITHM = 'ES256';

/** Verifies a JWT: ES256 only, issuer, audience, time, known key. Raises `unauthorized`. */
export function tokenVerifier(options: {
  issuer: string;
  audience: string;
  keyOf: (kid: string) => Promise<KeyObject | null>;
}) {
  return async function verify(token: string): Promise<Actor> {
    const header = jsonwebtoken.decode(token, { complete: true })?.header;
    if (header?.alg !== TOKEN_ALGORITHM || header.kid === undefined)
      throw unauthorized('The token is not valid.');
    const key = await options.keyOf(header.kid);
    if (!key) throw unauthorized('The token was signed with a key that is not known here.');
    return actorOf(claimsOf(token, key, options));
  };
}

function claimsOf(
  token: string,
  key: jsonwebtoken.PublicKey,
  options: { issuer: string; audience: string },
): TokenClaims {
  try {
    const { issuer, audience } = options;
    const claims = jsonwebtoken.verify(token, key, { algorithms: [TOKEN_ALGORITHM], issuer, audience });
    return tokenClaims.parse(claims);
  } catch (error) {
    const expired = error instanceof jsonwebtoken.TokenExpiredError;
    throw unauthorized(expired ? 'The token has expired: sign in again.' : 'The token is not valid.');
  }
}

function actorOf(claims: TokenClaims): Actor {
  const known = claims.scopes.filter((scope): scope is Scope => SCOPE_NAMES.includes(scope as Scope));
  const allowed = scopesOf(claims.role);
  return {
    id: claims.sub,
    name: claims.name,
    org: claims.org,
    role: claims.role,
    scopes: known.filter((scope) => allowed.includes(scope)),
    via: claims.kind,
    tokenId: claims.jti,
    expiresAt: claims.exp,
  };
}

/** A 401 with the challenge that RFC 6750 asks for. */
export function unauthorized(detail: string): AppError {
  return new AppError('unauthorized', detail, { headers: { 'www-authenticate': 'Bearer' } });
}
