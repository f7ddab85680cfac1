import { describe, expect, test } from '@jest/globals';
import { ROLES, SCOPE_NAMES, scopesOf } from '@muster/contracts';
import fc from 'fast-check';
import { excessScopes, expiryOf, grantableScopes } from './token.rules.ts';

const role = fc.constantFrom(...ROLES);
const scopes = fc.uniqueArray(fc.constantFrom(...SCOPE_NAMES));
const now = new Date('2026-03-01T12:00:00.250Z');
const nowS = Math.floor(now.getTime() / 1000);

describe('scopes', () => {
  test('what may be handed on is held, and allowed by the role', () => {
    fc.assert(
      fc.property(role, scopes, (held, carried) => {
        const grantable = grantableScopes({ role: held, scopes: carried });
        return grantable.every((scope) => carried.includes(scope) && scopesOf(held).includes(scope));
      }),
    );
  });

  test('a session may hand on all that its role allows, and no more is left over', () => {
    for (const held of ROLES) {
      const all = scopesOf(held);
      expect(grantableScopes({ role: held, scopes: all })).toEqual(all);
      expect(excessScopes(all, all)).toEqual([]);
    }
  });

  test('each scope that is too much is named with its place', () => {
    expect(excessScopes(['sessions:read', 'scenarios:write'], ['sessions:read'])).toEqual([
      { index: 1, scope: 'scenarios:write' },
    ]);
  });
});

describe('the end of a token', () => {
  test('is the asked number of days away, in whole seconds', () => {
    for (const via of ['development', 'session'] as const)
      expect(expiryOf(30, { via, expiresAt: via === 'session' ? nowS + 300 : null }, now)).toBe(
        nowS + 30 * 86_400,
      );
  });

  test('is not after the end of the API token it is made with', () => {
    expect(expiryOf(30, { via: 'api_token', expiresAt: nowS + 60 }, now)).toBe(nowS + 60);
    expect(expiryOf(1, { via: 'api_token', expiresAt: nowS + 30 * 86_400 }, now)).toBe(nowS + 86_400);
  });
});
