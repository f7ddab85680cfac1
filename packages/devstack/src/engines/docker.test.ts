import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { composeService } from './docker.ts';
import { ENGINES } from './engine.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const PASSWORDS = { MONGODB_PASSWORD: 'm1', RABBITMQ_PASSWORD: 'r1', REDIS_PASSWORD: 'd1' };

test('variables stand in docker-compose.yml for themselves, for their default, or for nothing', () => {
  const { command, environment } = composeService(ROOT, 'redis', PASSWORDS);
  expect(environment).toEqual({ REDISCLI_AUTH: 'd1' });
  expect(command?.join(' ')).toContain('"requirepass $REDISCLI_AUTH"');
  expect(composeService(ROOT, 'rabbitmq').environment).toEqual({
    RABBITMQ_DEFAULT_USER: 'muster',
    RABBITMQ_DEFAULT_PASS: '',
  });
});

test.each(ENGINES)(
  '%s has no password in its command, which others may read, and none that is known',
  (engine) => {
    const { command = [], environment } = composeService(ROOT, engine, PASSWORDS);
    for (const password of Object.values(PASSWORDS)) expect(command.join(' ')).not.toContain(password);
    const unset = composeService(ROOT, engine).environment ?? {};
    const changed = Object.keys(unset).filter((name) => unset[name] !== environment?.[name]);
    expect(changed).toHaveLength(1);
    expect(unset[changed[0] ?? '']).toBe('');
  },
);
