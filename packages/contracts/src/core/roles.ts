/** Roles of an organization's members, weakest first: each may do all that those before it may. */
export const ROLES = ['viewer', 'member', 'facilitator', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** What an API token may carry, a subset of what its user's role allows. */
export const SCOPES = {
  'scenarios:read': 'viewer',
  'scenarios:write': 'facilitator',
  'sessions:read': 'viewer',
  'sessions:write': 'member',
  'evaluations:write': 'facilitator',
  'playbooks:read': 'viewer',
  'playbooks:write': 'facilitator',
  'gaps:read': 'viewer',
  'gaps:write': 'facilitator',
  'dashboard:read': 'viewer',
  'dashboard:write': 'admin',
  'events:read': 'viewer',
  'events:write': 'member',
  'triage:write': 'facilitator',
  'operations:read': 'viewer',
  'operations:write': 'member',
  'intel:read': 'viewer',
  'intel:write': 'facilitator',
  'jobs:read': 'viewer',
  'jobs:write': 'member',
  'profile:read': 'viewer',
  'profile:write': 'viewer',
  'tokens:write': 'viewer',
  'ip:write': 'viewer',
  'members:read': 'viewer',
  'members:write': 'admin',
  'settings:read': 'viewer',
  'settings:write': 'admin',
  'audit:read': 'admin',
  'parked:read': 'owner',
  'parked:write': 'owner',
} as const satisfies Record<string, Role>;
export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

/** True when `role` may do what `needed` may. */
export function roleAllows(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The scopes a role may hand to a token. */
export function scopesOf(role: Role): Scope[] {
  return SCOPE_NAMES.filter((scope) => roleAllows(role, SCOPES[scope]));
}
