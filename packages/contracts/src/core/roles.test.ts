import { describe, expect, test } from '@jest/globals';
import { apis } from '../catalogue.ts';
import { platformApis } from '../platform/platform.api.ts';
import { ROLES, roleAllows, SCOPE_NAMES, SCOPES, scopesOf } from './roles.ts';

const pairs = ROLES.flatMap((weaker, at) =>
  ROLES.slice(at + 1).map((stronger) => [weaker, stronger] as const),
);

describe('roles', () => {
  test.each(ROLES)('%s may do what itself may', (role) => {
    expect(roleAllows(role, role)).toBe(true);
  });

  test.each(pairs)('%s is weaker than %s', (weaker, stronger) => {
    expect(roleAllows(stronger, weaker)).toBe(true);
    expect(roleAllows(weaker, stronger)).toBe(false);
  });
});

describe('scopes', () => {
  test.each(pairs)('what %s may hand to a token, %s may too', (weaker, stronger) => {
    expect(scopesOf(stronger)).toEqual(expect.arrayContaining(scopesOf(weaker)));
  });

  test('an owner may hand out every scope, a viewer none that needs more', () => {
    expect(scopesOf('owner')).toEqual(SCOPE_NAMES);
    expect(scopesOf('viewer').map((scope) => SCOPES[scope])).not.toContain('member');
    expect(scopesOf('viewer')).not.toContain('sessions:write');
  });

  const scoped = [...apis, ...platformApis('exercises')].flatMap(({ endpoints }) =>
    Object.entries(endpoints).flatMap(([name, { role, scope }]) =>
      scope && role !== 'public' ? [[name, role, scope] as const] : [],
    ),
  );

  test.each(scoped)('%s: whoever has the role %s may hold the scope %s', (_name, role, scope) => {
    expect(scopesOf(role)).toContain(scope);
  });

  test('a scope that writes is never asked of a reading endpoint, but for reading secrets', () => {
    const reading = [...apis, ...platformApis('exercises')].flatMap(({ endpoints }) =>
      Object.values(endpoints).filter(({ method, scope }) => method === 'GET' && scope?.endsWith(':write')),
    );
    expect(reading.map(({ path }) => path)).toEqual(['/auth/tokens/', '/auth/tokens/{id}/']);
  });
});
