import { describe, expect, test } from '@jest/globals';
import { decide, domainOf, type SignIn } from './login.rules.ts';

const stranger: SignIn = {
  linked: null,
  email: { named: true, verified: true },
  invitedTo: null,
  setup: false,
  domain: null,
};
const reasonOf = (more: Partial<SignIn>) => {
  const decision = decide({ ...stranger, ...more });
  return decision.kind === 'refuse' ? decision.reason : decision.kind;
};
const at = (status: 'active' | 'suspended' | 'removed' | 'invited' | null) => ({
  org: 'a',
  userId: 'u',
  status,
});

describe('an account that is linked', () => {
  test.each([
    ['active', 'enter'],
    ['suspended', 'suspended'],
    ['removed', 'not-a-member'],
    ['invited', 'not-a-member'],
    [null, 'not-a-member'],
  ] as const)('to someone who is %s: %s', (status, outcome) => {
    expect(reasonOf({ linked: at(status) })).toBe(outcome);
  });

  test('is that person, where they belong', () => {
    expect(decide({ ...stranger, linked: at('active') })).toEqual({ kind: 'enter', org: 'a', userId: 'u' });
  });

  test('needs no e-mail address', () => {
    expect(reasonOf({ linked: at('active'), email: { named: false, verified: false } })).toBe('enter');
  });

  test('may open its invitation again, and no other organization’s', () => {
    expect(reasonOf({ linked: at('active'), invitedTo: 'a' })).toBe('enter');
    expect(reasonOf({ linked: at('active'), invitedTo: 'b' })).toBe('other-organization');
  });

  test('of someone who was removed comes back by an invitation, not by a domain or the setup link', () => {
    expect(reasonOf({ linked: at('removed'), invitedTo: 'a' })).toBe('accept-invite');
    expect(reasonOf({ linked: at('removed'), domain: at(null) })).toBe('not-a-member');
    expect(reasonOf({ linked: at('removed'), setup: true })).toBe('not-a-member');
    expect(reasonOf({ linked: at('suspended'), invitedTo: 'a' })).toBe('suspended');
  });

  test('does not use a setup link up', () => {
    expect(reasonOf({ linked: at('active'), setup: true })).toBe('enter');
  });
});

describe('a new account', () => {
  test.each([
    [{}, 'no-organization'],
    [{ invitedTo: 'a' }, 'accept-invite'],
    [{ invitedTo: 'a', setup: true, domain: at(null) }, 'accept-invite'],
    [{ setup: true, domain: at(null) }, 'found'],
    [{ domain: at(null) }, 'join'],
    [{ domain: at('invited') }, 'join'],
    [{ domain: at('active') }, 'other-identity'],
    [{ domain: at('suspended') }, 'other-identity'],
    [{ domain: at('removed') }, 'not-a-member'],
  ] as const)('with %j: %s', (more, outcome) => {
    expect(reasonOf(more)).toBe(outcome);
  });

  test.each([{}, { invitedTo: 'a' }, { setup: true }, { domain: at(null) }])(
    'without a verified address comes in by nothing: %j',
    (more) => {
      expect(reasonOf({ ...more, email: { named: false, verified: false } })).toBe('no-email');
      expect(reasonOf({ ...more, email: { named: true, verified: false } })).toBe('email-not-verified');
    },
  );
});

test('the domain is what stands behind the last @', () => {
  expect(domainOf('some.one@example.org')).toBe('example.org');
});
