import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '@muster/service-kit';
import { config } from './config.ts';

const base = {
  MUSTER_MODE: 'production',
  PUBLIC_ORIGIN: 'https://muster.example.org',
  MONGODB_URI: 'mongodb://127.0.0.1/',
  MONGODB_DB: 'identity',
  AMQP_URL: 'amqp://127.0.0.1',
  REDIS_URL: 'redis://127.0.0.1',
  JWKS_URL: 'http://127.0.0.1/.well-known/jwks.json',
  SERVICE_SECRET: 'only for tests: thirty-two characters',
};
const load = (KEY_ENCRYPTION_KEY: string | undefined, more: Record<string, string> = {}) =>
  loadConfig(config.schema, { ...base, KEY_ENCRYPTION_KEY, ...more });
const random = () => randomBytes(32).toString('base64');

describe('KEY_ENCRYPTION_KEY', () => {
  test('holds keys by id, newest first', () => {
    const ring = load(`new:${random()},old:${random()}`).KEY_ENCRYPTION_KEY;
    expect([...ring.keys()]).toEqual(['new', 'old']);
  });

  test.each([
    ['nothing', undefined],
    ['empty text', ''],
    ['a key without an id', random()],
    ['a key that is too short', `k1:${randomBytes(31).toString('base64')}`],
    ['text', 'k1:change-me'],
  ])('%s stops the start with a line that says how to make one', (_what, given) => {
    expect(() => load(given)).toThrow(/KEY_ENCRYPTION_KEY .*openssl rand -base64 32/);
  });

  test('a placeholder is refused in production, and serves development', () => {
    const placeholder = `k1:${Buffer.alloc(32, 'A').toString('base64')}`;
    expect(() => load(placeholder)).toThrow(/KEY_ENCRYPTION_KEY .*"k1" is a placeholder/);
    expect(load(placeholder, { MUSTER_MODE: 'development' }).KEY_ENCRYPTION_KEY.size).toBe(1);
  });

  test('the line that stops the start does not show the key', () => {
    const short = randomBytes(31).toString('base64');
    const line = lineOf(() => load(`k1:${short}`));
    expect(line).toContain('KEY_ENCRYPTION_KEY');
    expect(line).not.toContain(short);
  });
});

function lineOf(start: () => unknown): string {
  try {
    start();
    return '';
  } catch (error) {
    return String(error);
  }
}

test('SIGNING_KEY_DAYS is 30 unless told otherwise, and at least a day', () => {
  const key = `k1:${random()}`;
  expect(load(key).SIGNING_KEY_DAYS).toBe(30);
  expect(load(key, { SIGNING_KEY_DAYS: '7' }).SIGNING_KEY_DAYS).toBe(7);
  expect(() => load(key, { SIGNING_KEY_DAYS: '0' })).toThrow('SIGNING_KEY_DAYS');
});

describe('the mail server', () => {
  const key = `k1:${random()}`;
  const SMTP_URL = 'smtps://user:secret@mail.example.org';
  const SMTP_FROM = 'muster@example.org';

  test('may be none', () => {
    expect(load(key).SMTP_URL).toBeUndefined();
  });

  test('comes with the address that mail is from', () => {
    expect(load(key, { SMTP_URL, SMTP_FROM })).toMatchObject({ SMTP_URL, SMTP_FROM });
    expect(() => load(key, { SMTP_URL })).toThrow(/SMTP_FROM/);
  });

  test.each(['mail.example.org', 'https://mail.example.org', 'smtp'])('is not %s', (given) => {
    expect(() => load(key, { SMTP_URL: given, SMTP_FROM })).toThrow(/SMTP_URL .*smtps:/);
  });

  test('the line that stops the start does not show its password', () => {
    expect(lineOf(() => load(key, { SMTP_URL }))).not.toContain('secret');
  });
});

test('AI_ALLOW_HOSTS is a list of hosts', () => {
  const key = `k1:${random()}`;
  expect(load(key).AI_ALLOW_HOSTS.allow).toEqual([]);
  expect(load(key, { AI_ALLOW_HOSTS: 'ollama:11434, vllm' }).AI_ALLOW_HOSTS.allow).toEqual([
    'ollama:11434',
    'vllm',
  ]);
  expect(() => load(key, { AI_ALLOW_HOSTS: 'http://ollama/' })).toThrow('AI_ALLOW_HOSTS');
});

test('DNS_SERVERS is a list of addresses, none unless set', () => {
  const key = `k1:${random()}`;
  expect(load(key).DNS_SERVERS).toEqual([]);
  const DNS_SERVERS = '192.0.2.53, 192.0.2.54:5353,[2001:db8::53]:5353';
  expect(load(key, { DNS_SERVERS }).DNS_SERVERS).toEqual([
    '192.0.2.53',
    '192.0.2.54:5353',
    '[2001:db8::53]:5353',
  ]);
  for (const wrong of ['dns.example.org', '192.0.2.53:70000', '192.0.2.530'])
    expect(() => load(key, { DNS_SERVERS: wrong })).toThrow(/DNS_SERVERS .*2001:db8/);
});
