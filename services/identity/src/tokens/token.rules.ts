import { type Role, SCOPE_NAMES, type Scope, scopesOf } from '@muster/contracts';

const DAY_S = 86_400;

/** Whoever makes a token: what they carry themselves, and until when (seconds since the epoch; null: no end). */
export interface Grantor {
  role: Role;
  scopes: readonly Scope[];
  expiresAt: number | null;
}

/** The scopes someone may hand on: what they carry, as far as their role allows it. In the contract's order. */
export function grantableScopes({ role, scopes }: Pick<Grantor, 'role' | 'scopes'>): Scope[] {
  const allowed = scopesOf(role);
  return SCOPE_NAMES.filter((scope) => allowed.includes(scope) && scopes.includes(scope));
}

/** Positions and names of the asked scopes that are too much. */
export function excessScopes(
  asked: readonly Scope[],
  grantable: readonly Scope[],
): { index: number; scope: Scope }[] {
  return asked.flatMap((scope, index) => (grantable.includes(scope) ? [] : [{ index, scope }]));
}

/** When a new token ends, in seconds since the epoch: after the asked days, but not after the token it is made with. */
export function expiryOf(days: number, grantor: Pick<Grantor, 'expiresAt'>, now: Date): number {
  const asked = Math.floor(now.getTime() / 1000) + days * DAY_S;
  return Math.min(asked, grantor.expiresAt ?? asked);
}
