import { type Role, roleAllows, type Scope, scopesOf } from '@muster/contracts';

/** Who is acting, as their verified token says. */
export interface Actor {
  id: string;
  name: string;
  org: string;
  role: Role;
  /** Scopes of an API token; all of the role's for a person's own session. */
  scopes: readonly Scope[];
  via: 'session' | 'api_token' | 'development' | 'system';
  tokenId: string | null;
  /** Seconds since the epoch; null where it does not end. */
  expiresAt: number | null;
}

/** The organization and its owner that development mode acts as. */
export const DEMO_ORGANIZATION = {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Demo organization',
} as const;
export const DEMO_OWNER = {
  id: '01900000-0000-7000-8000-000000000002',
  name: 'Demo owner',
  email: 'owner@demo.invalid',
} as const;

export const developmentActor: Actor = {
  id: DEMO_OWNER.id,
  name: DEMO_OWNER.name,
  org: DEMO_ORGANIZATION.id,
  role: 'owner',
  scopes: scopesOf('owner'),
  via: 'development',
  tokenId: null,
  expiresAt: null,
};

/** The service itself, working for an organization: consumers, jobs, start-up. */
export function systemActor(org: string, service: string): Actor {
  return {
    id: service,
    name: service,
    org,
    role: 'owner',
    scopes: scopesOf('owner'),
    via: 'system',
    tokenId: null,
    expiresAt: null,
  };
}

/** The role that may do less. */
export function weakerRole(one: Role, other: Role): Role {
  return roleAllows(one, other) ? other : one;
}

/** True when the actor's role suffices and, where the endpoint names a scope, the token carries it. */
export function mayCall(actor: Actor, needed: { role: Role | 'public'; scope?: Scope }): boolean {
  if (needed.role === 'public') return true;
  if (!roleAllows(actor.role, needed.role)) return false;
  return needed.scope === undefined || actor.scopes.includes(needed.scope);
}
