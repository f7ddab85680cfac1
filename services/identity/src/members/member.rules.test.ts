import { describe, expect, test } from '@jest/globals';
import { ROLES, type Role } from '@muster/contracts';
import fc from 'fast-check';
import { alterationsOf, losesOwner, mayGrant, refusalOf } from './member.rules.ts';

const role = fc.constantFrom(...ROLES);
const standing = fc.record({ role, status: fc.constantFrom('invited', 'active', 'suspended') });
const asked = fc.record(
  { role, status: fc.constantFrom('active', 'suspended', 'removed') },
  { requiredKeys: [] },
);
const rank = (of: Role) => ROLES.indexOf(of);

describe('what someone may change', () => {
  test('never someone above them, and nobody to above them', () => {
    fc.assert(
      fc.property(role, fc.boolean(), standing, asked, (caller, own, member, change) => {
        if (refusalOf(caller, own, member, change) !== null) return;
        expect(rank(member.role)).toBeLessThanOrEqual(rank(caller));
        expect(rank(change.role ?? 'viewer')).toBeLessThanOrEqual(rank(caller));
      }),
    );
  });

  test('an owner may do anything to others who have joined', () => {
    fc.assert(
      fc.property(standing, asked, (member, change) => {
        const joined = { ...member, status: 'active' as const };
        expect(refusalOf('owner', false, joined, change)).toBeNull();
      }),
    );
  });

  test.each([
    ['admin', { role: 'owner', status: 'active' }, { role: 'viewer' }, /Only an owner may change/],
    ['admin', { role: 'viewer', status: 'active' }, { role: 'owner' }, /Only an owner may make/],
    ['admin', { role: 'owner', status: 'active' }, { status: 'removed' }, /Only an owner may change/],
  ] as const)('%s on %j: %j is forbidden', (caller, member, change, detail) => {
    expect(refusalOf(caller, false, member, change)).toMatchObject({
      code: 'forbidden',
      detail: expect.stringMatching(detail),
    });
  });

  test.each(['admin', 'owner'] as const)('an %s changes other admins', (caller) => {
    expect(refusalOf(caller, false, { role: 'admin', status: 'active' }, { role: 'member' })).toBeNull();
  });

  test('nobody suspends themselves, but may leave or step down', () => {
    const me = { role: 'admin', status: 'active' } as const;
    expect(refusalOf('admin', true, me, { status: 'suspended' })).toMatchObject({ code: 'conflict' });
    expect(refusalOf('admin', true, me, { status: 'removed' })).toBeNull();
    expect(refusalOf('admin', true, me, { role: 'viewer' })).toBeNull();
  });

  test('who is only invited is neither activated nor suspended, but may get another role or none', () => {
    const invited = { role: 'viewer', status: 'invited' } as const;
    expect(refusalOf('owner', false, invited, { status: 'active' })).toMatchObject({ code: 'conflict' });
    expect(refusalOf('owner', false, invited, { status: 'suspended' })).toMatchObject({ code: 'conflict' });
    expect(refusalOf('owner', false, invited, { role: 'member' })).toBeNull();
    expect(refusalOf('owner', false, invited, { status: 'removed' })).toBeNull();
  });

  test('a role may be granted by itself and by those above it', () => {
    fc.assert(fc.property(role, role, (one, other) => mayGrant(one, other) === rank(one) >= rank(other)));
  });
});

test.each([
  [{ role: 'owner', status: 'active' }, { role: 'admin' }, true],
  [{ role: 'owner', status: 'active' }, { status: 'suspended' }, true],
  [{ role: 'owner', status: 'active' }, { status: 'removed' }, true],
  [{ role: 'owner', status: 'active' }, { role: 'owner', status: 'active' }, false],
  [{ role: 'owner', status: 'suspended' }, { status: 'removed' }, false],
  [{ role: 'owner', status: 'invited' }, { role: 'viewer' }, false],
  [{ role: 'admin', status: 'active' }, { status: 'removed' }, false],
] as const)('of %j, %j loses an owner: %s', (member, change, loses) => {
  expect(losesOwner(member, change)).toBe(loses);
});

test('the audit log is told each aspect that changes, and nothing that stays', () => {
  const member = { role: 'viewer', status: 'active', name: 'Old' } as const;
  expect(alterationsOf(member, { role: 'viewer', status: 'active', name: 'Old' })).toEqual([]);
  expect(alterationsOf(member, { role: 'member', status: 'suspended', name: 'New' })).toEqual([
    { action: 'member.role_changed', before: { role: 'viewer' }, after: { role: 'member' } },
    { action: 'member.suspended', before: { status: 'active' }, after: { status: 'suspended' } },
    { action: 'member.renamed', before: { name: 'Old' }, after: { name: 'New' } },
  ]);
  expect(alterationsOf({ ...member, status: 'suspended' }, { status: 'active' })[0]?.action).toBe(
    'member.reactivated',
  );
});
