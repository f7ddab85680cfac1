import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MAKERS = {
  SERVICE_SECRET: () => randomBytes(32).toString('base64'),
  KEY_ENCRYPTION_KEY: () => `development:${randomBytes(32).toString('base64')}`,
  PROVIDER_A_CLIENT_SECRET: () => randomBytes(32).toString('base64url'),
  PROVIDER_B_CLIENT_SECRET: () => randomBytes(32).toString('base64url'),
} satisfies Record<string, () => string>;
const NAMES = Object.keys(MAKERS) as SecretName[];

type SecretName = keyof typeof MAKERS;
/** Secrets of a development checkout, as the services' variables take them. */
export type Secrets = Record<SecretName, string>;

/**
 * The checkout's secrets, made once and kept in `.muster/secrets.json` for its owner alone; the environment wins.
 * @throws Error when the file is there but cannot be read: new secrets would lock stored credentials away
 */
export function checkoutSecrets(root: string): Secrets {
  const file = join(root, '.muster', 'secrets.json');
  const kept = readSecrets(file);
  const secrets = secretsOf((name) => kept[name] ?? MAKERS[name]());
  if (NAMES.some((name) => kept[name] === undefined)) {
    mkdirSync(join(root, '.muster'), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ ...kept, ...secrets }, null, 2)}\n`, { mode: 0o600 });
  }
  return secretsOf((name) => process.env[name] || secrets[name]);
}

function secretsOf(secret: (name: SecretName) => string): Secrets {
  return Object.fromEntries(NAMES.map((name) => [name, secret(name)])) as Secrets;
}

function readSecrets(file: string): Partial<Secrets> {
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
