import { describe, expect, test } from '@jest/globals';
import { ROLES, roleAllows, SCOPES, type Scope, scopesOf } from '@muster/contracts';
import { type Actor, developmentActor, mayCall, systemActor } from './actor.ts';

const anyone: Actor = { ...developmentActor, role: 'viewer', scopes: [] };
const pairs = ROLES.flatMap((role) => ROLES.map((needed) => [role, needed] as const));

describe('mayCall', () => {
  test('a public endpoint takes everyone', () => {
    expect(mayCall(anyone, { role: 'public' })).toBe(true);
  });

  test.each(pairs)('a %s at what needs a %s', (role, needed) => {
    const actor = { ...anyone, role, scopes: scopesOf(role) };
    expect(mayCall(actor, { role: needed })).toBe(roleAllows(role, needed));
  });

  test.each(Object.keys(SCOPES) as Scope[])('a token needs the scope %s, whatever its role', (scope) => {
    const needed = { role: SCOPES[scope], scope };
    const others = scopesOf('owner').filter((one) => one !== scope);
    expect(mayCall({ ...anyone, role: 'owner', scopes: [scope] }, needed)).toBe(true);
    expect(mayCall({ ...anyone, role: 'owner', scopes: others }, needed)).toBe(false);
  });

  test('a scope alone is not enough', () => {
    const actor: Actor = { ...anyone, role: 'viewer', scopes: ['scenarios:write'] };
    expect(mayCall(actor, { role: 'facilitator', scope: 'scenarios:write' })).toBe(false);
  });
});

test('a service works for one organization, with all it may do there', () => {
  expect(systemActor('org', 'twin')).toMatchObject({
    id: 'twin',
    org: 'org',
    role: 'owner',
    scopes: scopesOf('owner'),
    via: 'system',
    tokenId: null,
  });
});
