import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { keysOf, scram, signature } from './scram.ts';

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();

test('the example of RFC 7677 holds', () => {
  const keys = keysOf('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'), 4096);
  const nonce = 'rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
  const messages = `n=user,r=rOprNGfwEbeRWgbNEkqO,r=${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=${nonce}`;
  const proof = Buffer.from('dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=', 'base64');
  expect(signature(keys, messages, proof)?.toString('base64')).toBe(
    '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
  );
  expect(signature(keys, `${messages}x`, proof)).toBeUndefined();
  expect(signature(keys, messages, proof.subarray(1))).toBeUndefined();
});

/** A client's final message, as the RFC has it. */
function final(challenge: string, password: string, user = 'muster', first = 'abc'): string {
  const [, nonce = '', salt = '', rounds = ''] = /^r=(.*),s=(.*),i=(\d+)$/.exec(challenge) ?? [];
  const salted = pbkdf2Sync(password, Buffer.from(salt, 'base64'), Number(rounds), 32, 'sha256');
  const key = hmac(salted, 'Client Key');
  const unproven = `c=biws,r=${nonce}`;
  const mask = hmac(
    createHash('sha256').update(key).digest(),
    `n=${user},r=${first},${challenge},${unproven}`,
  );
  return `${unproven},p=${Buffer.from(key.map((byte, at) => byte ^ (mask[at] ?? 0))).toString('base64')}`;
}

const begin = scram('muster', 'open sesame');

test('who knows the password gets in, once for each challenge', () => {
  const exchange = begin('n,,n=muster,r=abc');
  const message = final(exchange?.challenge ?? '', 'open sesame');
  expect(exchange?.finish(message)).toMatch(/^v=[\w+/]{43}=$/);
  expect(begin('n,,n=muster,r=abc')?.finish(message)).toBeUndefined();
});

test.each([
  ['another password', (challenge: string) => final(challenge, 'open')],
  ['another nonce', (challenge: string) => final(challenge, 'open sesame').replace(',r=abc', ',r=abd')],
  ['channel binding', (challenge: string) => final(challenge, 'open sesame').replace('c=biws', 'c=eSws')],
  ['no proof', (challenge: string) => final(challenge, 'open sesame').replace(/,p=.*/, '')],
  ['an empty proof', (challenge: string) => final(challenge, 'open sesame').replace(/,p=.*/, ',p=')],
  ['nothing', () => ''],
])('%s does not', (_what, message) => {
  const exchange = begin('n,,n=muster,r=abc');
  expect(exchange?.finish(message(exchange.challenge))).toBeUndefined();
});

test('a name that nobody has is challenged like any other, always with the same salt, and fails', () => {
  const [one, other] = [begin('n,,n=root,r=abc'), begin('n,,n=root,r=abc')];
  const saltOf = (challenge = '') => /,s=(.*),i=15000$/.exec(challenge)?.[1];
  expect(saltOf(one?.challenge)).toHaveLength(saltOf(begin('n,,n=muster,r=abc')?.challenge)?.length ?? 0);
  expect(saltOf(one?.challenge)).toBe(saltOf(other?.challenge));
  expect(one?.finish(final(one.challenge, 'open sesame', 'root'))).toBeUndefined();
});

test.each([
  '',
  'n,,n=muster',
  'p=tls-unique,,n=muster,r=abc',
  'n,,m=ext,n=muster,r=abc',
  'n,,n=muster,r=a,b',
])('"%s" begins nothing', (message) => {
  expect(begin(message)).toBeUndefined();
});
