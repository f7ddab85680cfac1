import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '@muster/service-kit';
import { config } from './config.ts';

const base = {
  MUSTER_MODE: 'production',
  MONGODB_URI: 'mongodb://127.0.0.1/',
  MONGODB_DB: 'identity',
  AMQP_URL: 'amqp://127.0.0.1',
  REDIS_URL: 'redis://127.0.0.1',
  JWKS_URL: 'http://127.0.0.1/.well-known/jwks.json',
  SERVICE_SECRET: 'only for tests: thirty-two characters',
};
const load = (KEY_ENCRYPTION_KEY: string | undefined, more: Record<string, string> = {}) =>
  loadConfig(config, { ...base, KEY_ENCRYPTION_KEY, ...more });
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
