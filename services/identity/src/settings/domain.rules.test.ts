import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { claimsOf, isPublicDomain } from './domain.rules.ts';

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
