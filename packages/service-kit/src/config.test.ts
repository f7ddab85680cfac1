import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { baseConfig, baseVariables, loadConfig, refuseRemoteDevelopment } from './config.ts';
import { keyEncryptionKey } from './crypto/key-encryption-key.ts';

const COMPLETE = {
  MONGODB_URI: 'mongodb://127.0.0.1/',
  MONGODB_DB: 'twin',
  AMQP_URL: 'amqp://127.0.0.1',
  REDIS_URL: 'redis://127.0.0.1',
  JWKS_URL: 'http://127.0.0.1/.well-known/jwks.json',
  SERVICE_SECRET: 'a secret of at least thirty-two characters',
};

function complaint(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
}

describe('loadConfig', () => {
  test('takes the defaults that are safe', () => {
    expect(loadConfig(baseConfig, COMPLETE)).toMatchObject({
      MUSTER_MODE: 'production',
      MUSTER_ALLOW_REMOTE_DEVELOPMENT: false,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: 0,
      ROLE: 'all',
      LOG_LEVEL: 'info',
    });
  });

  test('takes an empty variable for one that is not set', () => {
    expect(loadConfig(baseConfig, { ...COMPLETE, ROLE: '', LOG_LEVEL: '' })).toMatchObject({ ROLE: 'all' });
    expect(complaint(() => loadConfig(baseConfig, { ...COMPLETE, AMQP_URL: '' }))).toMatch(/AMQP_URL/);
  });

  test('reads numbers and flags', () => {
    const config = loadConfig(baseConfig, {
      ...COMPLETE,
      SERVICE_PORT: '8081',
      MUSTER_ALLOW_REMOTE_DEVELOPMENT: '1',
    });
    expect(config).toMatchObject({ SERVICE_PORT: 8081, MUSTER_ALLOW_REMOTE_DEVELOPMENT: true });
  });

  test.each(Object.keys(COMPLETE))('names %s when it is missing, in one line', (name) => {
    const said = complaint(() => loadConfig(baseConfig, { ...COMPLETE, [name]: undefined }));
    expect(said).toMatch(new RegExp(`^These variables are missing or wrong: ${name} \\([^\\n]+\\)$`));
  });

  test('names everything that is missing or wrong at once, the own variables of a service too, and no value', () => {
    const schema = z.object({ ...baseVariables, OWN: z.string() });
    const wrong = {
      ...COMPLETE,
      SERVICE_PORT: '70000',
      ROLE: 'boss',
      JWKS_URL: 'nowhere',
      SERVICE_SECRET: 'sho-rt',
      MUSTER_ALLOW_REMOTE_DEVELOPMENT: 'yes',
    };
    const said = complaint(() => loadConfig(schema, { ...wrong, MONGODB_URI: undefined }));
    const names = ['MONGODB_URI', 'SERVICE_PORT', 'ROLE', 'JWKS_URL', 'SERVICE_SECRET', 'OWN'];
    for (const name of [...names, 'MUSTER_ALLOW_REMOTE_DEVELOPMENT']) expect(said).toContain(`${name} (`);
    expect(said).not.toMatch(/\n|sho-rt|70000/);
  });
});

describe('refuseRemoteDevelopment', () => {
  const config = (mode: 'development' | 'production', host: string, allowed = false) => ({
    MUSTER_MODE: mode,
    SERVICE_HOST: host,
    MUSTER_ALLOW_REMOTE_DEVELOPMENT: allowed,
  });

  test.each([
    config('development', '127.0.0.1'),
    config('development', '::1'),
    config('development', 'localhost'),
    config('development', '0.0.0.0', true),
    config('production', '0.0.0.0'),
    config('production', '192.0.2.1'),
  ])('lets $MUSTER_MODE listen on $SERVICE_HOST', (given) => {
    expect(complaint(() => refuseRemoteDevelopment(given))).toBe('');
  });

  test.each([['0.0.0.0'], ['::'], ['192.0.2.1'], ['muster.example.org'], ['127.0.0.1.example.org'], ['']])(
    'keeps development off %j and says what to do',
    (host) => {
      const said = complaint(() => refuseRemoteDevelopment(config('development', host)));
      expect(said).toMatch(/^Development mode .*MUSTER_ALLOW_REMOTE_DEVELOPMENT=1$/);
      expect(said).not.toContain('\n');
    },
  );
});

describe('production', () => {
  const schema = baseConfig.extend({ KEY_ENCRYPTION_KEY: keyEncryptionKey });
  const random = () => randomBytes(32).toString('base64');
  const load = (changed: Record<string, string>, MUSTER_MODE = 'production') =>
    loadConfig(schema, { ...COMPLETE, KEY_ENCRYPTION_KEY: `k1:${random()}`, MUSTER_MODE, ...changed });

  test.each([
    ['SERVICE_SECRET', 'a'.repeat(64)],
    ['SERVICE_SECRET', 'change-me-change-me-change-me-change-me'],
    ['SERVICE_SECRET', 'CHANGEME of thirty-two characters or more'],
    ['SERVICE_SECRET', 'an example of thirty-two characters'],
    ['SERVICE_SECRET', 'passwordpasswordpasswordpassword'],
    ['SERVICE_SECRET', '01010101010101010101010101010101'],
    ['AMQP_URL', 'amqp://guest:guest@rabbitmq:5672'],
    ['AMQP_URL', 'amqps://guest:guest@broker.example.org'],
    ['AMQP_URL', 'amqp://rabbitmq'],
    ['AMQP_URL', 'amqp://guest:guest@127.0.0.1.example.org'],
    ['KEY_ENCRYPTION_KEY', `k1:${Buffer.alloc(32, 'A').toString('base64')}`],
    ['KEY_ENCRYPTION_KEY', `k2:${random()},k1:${Buffer.alloc(32, 'abc').toString('base64')}`],
  ])('refuses %s=%s in one line that says what to do, and shows no secret', (name, value) => {
    const said = complaint(() => load({ [name]: value }));
    expect(said).toMatch(new RegExp(`^These variables are missing or wrong: ${name} \\([^\\n]+\\)$`));
    expect(said).toMatch(/openssl rand|rabbitmqctl add_user/);
    expect(said).not.toContain(value);
  });

  test('names all of them at once, and of none more than the name', () => {
    const said = complaint(() =>
      load({ SERVICE_SECRET: 'x'.repeat(32), AMQP_URL: 'amqp://guest:guest@rabbitmq' }),
    );
    expect(said).toMatch(/SERVICE_SECRET \(.*AMQP_URL \(/);
  });

  test.each([
    ['SERVICE_SECRET', random()],
    ['SERVICE_SECRET', randomBytes(16).toString('hex')],
    ['AMQP_URL', 'amqp://muster:good@rabbitmq:5672'],
    ['AMQP_URL', 'amqp://guest:good@rabbitmq:5672'],
    ['AMQP_URL', 'amqp://guest:guest@127.0.0.1:5672/vhost'],
    ['AMQP_URL', 'amqp://guest:guest@[::1]'],
    ['AMQP_URL', 'amqp://localhost'],
  ])('takes %s=%s', (name, value) => {
    expect(load({ [name]: value })).toMatchObject({ [name]: value });
  });

  test('is stricter than development, which takes what everyone has', () => {
    const defaults = { SERVICE_SECRET: 'x'.repeat(32), AMQP_URL: 'amqp://guest:guest@rabbitmq' };
    expect(load(defaults, 'development')).toMatchObject(defaults);
  });

  test('does not judge variables that a process does not read', () => {
    const own = z.object({ MUSTER_MODE: baseVariables.MUSTER_MODE });
    const others = { SERVICE_SECRET: 'x'.repeat(32), AMQP_URL: 'amqp://rabbitmq' };
    expect(loadConfig(own, others)).toEqual({ MUSTER_MODE: 'production' });
  });
});
