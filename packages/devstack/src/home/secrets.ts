import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeOf } from './home.ts';

const SERVICES = {
  SERVICE_SECRET: () => randomBytes(32).toString('base64'),
  KEY_ENCRYPTION_KEY: () => `development:${randomBytes(32).toString('base64')}`,
  PROVIDER_A_CLIENT_SECRET: () => randomBytes(32).toString('base64url'),
  PROVIDER_B_CLIENT_SECRET: () => randomBytes(32).toString('base64url'),
};
const ENGINES = { MONGODB_PASSWORD: password, RABBITMQ_PASSWORD: password, REDIS_PASSWORD: password };

/** Secrets of a development checkout, as the services' variables take them. */
export type Secrets = Record<keyof typeof SERVICES, string>;
/** Passwords of the engines, by the variables that docker-compose.yml takes them from. */
export type Passwords = Record<keyof typeof ENGINES, string>;

/**
 * The checkout's secrets, made once and kept in `.muster/secrets.json` for its owner alone; the environment wins.
 * @throws Error when the file is there but cannot be read: new secrets would lock stored credentials away
 */
export function checkoutSecrets(root: string): Secrets {
  const kept = secrets(root);
  return each(SERVICES, (name) => process.env[name] || kept[name]);
}

/**
 * The passwords of the engines that keep the checkout's data, kept beside the other secrets.
 * @throws Error as {@link checkoutSecrets}
 */
export function checkoutPasswords(root: string): Passwords {
  const kept = secrets(root);
  return each(ENGINES, (name) => kept[name]);
}

/** Passwords for engines whose data goes with them. */
export function passwords(): Passwords {
  return each(ENGINES, password);
}

function secrets(root: string): Secrets & Passwords {
  const makers = { ...SERVICES, ...ENGINES };
  const file = join(homeOf(root), 'secrets.json');
  const kept = read(file);
  const whole = each(makers, (name) => kept[name] ?? makers[name]());
  if (Object.keys(makers).some((name) => !(name in kept))) {
    writeFileSync(`${file}.new`, `${JSON.stringify({ ...kept, ...whole }, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return whole;
}

/** 192 bits, in letters and digits: it stands in URLs. */
function password(): string {
  return randomBytes(24).toString('hex');
}

function each<Name extends string>(
  names: Record<Name, unknown>,
  value: (name: Name) => string,
): Record<Name, string> {
  const entries = Object.keys(names).map((name) => [name, value(name as Name)]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

function read(file: string): Partial<Secrets & Passwords> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is damaged: restore it, or remove it to start with new secrets`);
  }
}
