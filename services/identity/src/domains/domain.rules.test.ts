import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { advice, claimsOf, isPublicDomain, maySendFrom, proofAfter, stateOf } from './domain.rules.ts';

test.each(['gmail.com', 'outlook.com', 'web.de', 'proton.me'])('%s can be anybody’s', (domain) => {
  expect(isPublicDomain(domain)).toBe(true);
});

test.each(['example.org', 'mail.example.org', 'notgmail.com', 'gmail.com.example.org'])(
  '%s cannot',
  (domain) => {
    expect(isPublicDomain(domain)).toBe(false);
  },
);

test('after adding and dropping, an organization has what it wants', () => {
  const domains = fc.uniqueArray(fc.constantFrom<string>('a.org', 'b.org', 'c.org', 'd.org'));
  fc.assert(
    fc.property(domains, domains, (held, wanted) => {
      const { add, drop } = claimsOf(held, wanted);
      const after = [...held.filter((domain) => !drop.includes(domain)), ...add];
      expect(after.toSorted()).toEqual(wanted.toSorted());
      expect(add.filter((domain) => held.includes(domain))).toEqual([]);
    }),
  );
});

describe('the proof of a domain', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const proven = { proven_at: ago(30), missing_since: null, checked_at: ago(1) };

  test.each([
    ['unproven, found', { missing_since: null, checked_at: null }, 'found', 'proven'],
    ['unproven, absent', { missing_since: null, checked_at: null }, 'absent', 'unproven'],
    ['proven, found', proven, 'found', 'proven'],
    ['proven, absent', proven, 'absent', 'missing'],
    ['proven, unanswered', proven, 'unanswered', 'proven'],
    ['missing for six days', { ...proven, missing_since: ago(6) }, 'absent', 'missing'],
    ['missing for seven days', { ...proven, missing_since: ago(7) }, 'absent', 'unproven'],
    ['missing for eight days, unanswered', { ...proven, missing_since: ago(8) }, 'unanswered', 'missing'],
    ['missing, found', { ...proven, missing_since: ago(6) }, 'found', 'proven'],
  ] as const)('%s', (_what, before, finding, state) => {
    const after = proofAfter(before, finding, now);
    expect([stateOf(after), after.checked_at]).toEqual([state, now]);
    expect(advice(after)).not.toBe('');
  });

  test('mail comes from a proven domain or the deployment’s own, exactly', () => {
    const from = (address: string) => maySendFrom(address, ['ours.example'], 'muster@operator.example');
    expect(['a@ours.example', 'a@OURS.example', 'b@operator.example'].map(from)).toEqual([true, true, true]);
    expect(['a@x.ours.example', 'a@notours.example', 'a@other.example'].map(from)).toEqual([
      false,
      false,
      false,
    ]);
    expect(maySendFrom('a@operator.example', [], undefined)).toBe(false);
  });
});
