import { DAY_SECONDS, type Me, type Role, SCOPE_NAMES, type Scope, scopesOf } from '@muster/contracts';

/** Whoever makes a token: what they carry themselves, by what, and until when (seconds since the epoch; null: no end). */
export interface Grantor {
  role: Role;
  scopes: readonly Scope[];
  via: Me['authenticated_by'] | 'system';
  expiresAt: number | null;
}

/** The scopes someone may hand on: what they carry, as far as their role allows it. In the contract's order. */
export function grantableScopes({ role, scopes }: Pick<Grantor, 'role' | 'scopes'>): Scope[] {
  const allowed = scopesOf(role);
  return SCOPE_NAMES.filter((scope) => allowed.includes(scope) && scopes.includes(scope));
}

/** What a token carries for which no scope was named: it reads. */
export function readingScopes(grantable: readonly Scope[]): Scope[] {
  return grantable.filter((scope) => scope.endsWith(':read'));
}

/** Positions and names of the asked scopes that are too much. */
export function excessScopes(
  asked: readonly Scope[],
  grantable: readonly Scope[],
): { index: number; scope: Scope }[] {
  return asked.flatMap((scope, index) => (grantable.includes(scope) ? [] : [{ index, scope }]));
}

/**
 * When a new token ends, in seconds since the epoch: after the asked days, but not after the API token it is made with.
 * A person who is signed in has tokens of minutes only because a browser gets new ones; what they make outlives those.
 */
export function expiryOf(days: number, grantor: Pick<Grantor, 'via' | 'expiresAt'>, now: Date): number {
  const asked = Math.floor(now.getTime() / 1000) + days * DAY_SECONDS;
  return grantor.via === 'api_token' ? Math.min(asked, grantor.expiresAt ?? asked) : asked;
}
