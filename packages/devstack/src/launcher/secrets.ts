import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Secrets of a development checkout, as the services' variables take them. */
export interface Secrets {
  SERVICE_SECRET: string;
  KEY_ENCRYPTION_KEY: string;
}

const MAKERS: { [Name in keyof Secrets]: () => string } = {
  SERVICE_SECRET: () => randomBytes(32).toString('base64'),
  KEY_ENCRYPTION_KEY: () => `development:${randomBytes(32).toString('base64')}`,
};

/**
 * The checkout's secrets, made once and kept in `.muster/secrets.json` for its owner alone; the environment wins.
 * @throws Error when the file is there but cannot be read: new secrets would lock stored credentials away
 */
export function checkoutSecrets(root: string): Secrets {
  const file = join(root, '.muster', 'secrets.json');
  const kept = readSecrets(file);
  const secret = (name: keyof Secrets) => kept[name] ?? MAKERS[name]();
  const secrets = {
    SERVICE_SECRET: secret('SERVICE_SECRET'),
    KEY_ENCRYPTION_KEY: secret('KEY_ENCRYPTION_KEY'),
  };
  if (kept.SERVICE_SECRET === undefined || kept.KEY_ENCRYPTION_KEY === undefined) {
    mkdirSync(join(root, '.muster'), { recursive: true });
    writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  }
  const { SERVICE_SECRET, KEY_ENCRYPTION_KEY } = process.env;
  return {
    ...secrets,
    ...(SERVICE_SECRET && { SERVICE_SECRET }),
    ...(KEY_ENCRYPTION_KEY && { KEY_ENCRYPTION_KEY }),
  };
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
