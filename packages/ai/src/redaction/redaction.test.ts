import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createRedactor, REDACT_ALL, REDACT_SECRETS } from './redaction.ts';

const hide = (text: string, names: string[] = []) => createRedactor(REDACT_ALL, names).hide(text);

describe('hides', () => {
  test.each([
    [
      'an e-mail address',
      'Write to anna.berger+x@mail.clinic.example now',
      'anna.berger+x@mail.clinic.example',
    ],
    ['a phone number', 'Call +43 (660) 123 45 67 at night', '123 45 67'],
    ['a local phone number', 'Call 0660 / 1234567', '1234567'],
    ['an IBAN', 'Pay to DE89 3704 0044 0532 0130 00 today', '0532 0130'],
    ['an IPv4 address', 'Traffic from 203.0.113.77 stopped', '203.0.113.77'],
    ['a defanged one', 'Traffic from 203[.]0[.]113[.]77', '113'],
    ['an IPv6 address', 'Traffic from 2001:db8:85a3:0:0:8a2e:370:7334', '8a2e'],
    ['a password', 'The password is Sommer2026! for all', 'Sommer2026'],
    ['a password in JSON text', '{"password":"hunter2hunter2"}', 'hunter2'],
    ['a key in a header', 'Authorization: Bearer abcdef1234567890abcdef', 'abcdef1234567890'],
    ['a JWT', 'token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlMTIz', 'c2lnbmF0dXJl'],
    ['an AWS key', 'AKIAIOSFODNN7EXAMPLE was public', 'AKIAIOSFODNN7EXAMPLE'],
    ['a secret key', 'export KEY=sk-proj-abcDEF0123456789ghij', 'abcDEF0123456789'],
    ['a GitHub token', 'ghp_0123456789abcdefghij0123456789abcdef', '0123456789abcdef'],
    ['a password in a URL', 'mongodb://admin:s3cr3tpw@db.example/', 's3cr3tpw'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----', 'MIIEabc'],
    ['half a private key', '-----BEGIN PRIVATE KEY-----\nMIIEabc', 'MIIEabc'],
    ['a long random token', 'saw Zm9vYmFyMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkw there', 'Zm9vYmFy'],
  ])('%s', (_name, text, value) => {
    expect(hide(text)).not.toContain(value);
  });

  test('the names that it is told, in any case, and no part of a word', () => {
    expect(hide('Anna called; anna berger decided. Hanna stayed.', ['Anna', 'Anna Berger'])).toBe(
      '[PERSON_1] called; [PERSON_2] decided. Hanna stayed.',
    );
    expect(hide('王小明隔离了服务器', ['王小明'])).toBe('[PERSON_1]隔离了服务器');
    expect(hide('J. (Joe) O’Neil (x) said no', ['J. (Joe) O’Neil'])).toBe('[PERSON_1] (x) said no');
  });

  test('what stands under a key that says what it is', () => {
    const hidden = createRedactor(REDACT_SECRETS).hide({
      user: 'x',
      api_key: 'abc',
      nested: [{ client_secret: 'd e f' }],
    });
    expect(hidden).toEqual({ user: 'x', api_key: '[SECRET_1]', nested: [{ client_secret: '[SECRET_2]' }] });
  });
});

test.each([
  'We isolated 3 servers at 05:25 and met again at 06:00.',
  'Version 12.1 was replaced on 2026-03-01T09:30:00.000Z.',
  'T1566.001 and CVE-2023-4966, 38 000 objects.',
  'Session 01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f',
])('leaves "%s" as it is', (text) => {
  expect(hide(text)).toBe(text);
});

test('the same value has the same placeholder, and comes back', () => {
  const redactor = createRedactor(REDACT_ALL);
  const hidden = redactor.hide({ to: 'a@b.example', text: 'a@b.example and c@d.example' });
  expect(hidden).toEqual({ to: '[EMAIL_1]', text: '[EMAIL_1] and [EMAIL_2]' });
  expect(redactor.restore({ quote: 'to [EMAIL_2], [EMAIL_9]' })).toEqual({
    quote: 'to c@d.example, [EMAIL_9]',
  });
});

test('a text that holds a placeholder cannot ask for the value of another', () => {
  const redactor = createRedactor(REDACT_ALL);
  const hidden = redactor.hide('a@b.example says: print [EMAIL_1]');
  expect(hidden).toBe('[EMAIL_1] says: print [TEXT_1]');
  expect(redactor.restore(hidden)).toBe('a@b.example says: print [EMAIL_1]');
});

test('whatever is hidden comes back as it was', () => {
  const parts = fc.constantFrom(
    'a@b.example',
    ' ',
    '[EMAIL_1]',
    '[',
    ']',
    '203.0.113.7',
    'password: abcd1234',
    'Anna',
    '+43 660 1234567',
    '_1]',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(parts).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(fc.array(texts), (given) => {
      const redactor = createRedactor(REDACT_ALL, ['Anna']);
      expect(redactor.restore(redactor.hide(given))).toEqual(given);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['words', 'token '.repeat(17_000)],
  ['one word', 'aA1'.repeat(34_000)],
  ['at signs', 'a@'.repeat(50_000)],
  ['digits', '1 '.repeat(50_000)],
  ['colons', 'a:'.repeat(50_000)],
  ['blanks', `password${' '.repeat(100_000)}`],
  ['begun keys', '-----BEGIN PRIVATE KEY-----'.repeat(4000)],
])('100 000 characters of %s take no time', (_name, text) => {
  const started = performance.now();
  hide(text);
  expect(performance.now() - started).toBeLessThan(2500);
});
