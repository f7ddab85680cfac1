import { generateKeyPair } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { JWK } from 'oidc-provider';

/**
 * The private key that signs ID tokens, as a JWK for RS256, the algorithm of Google and Microsoft Entra ID.
 * @param file keeps it from start to start; made when missing, readable to its owner alone
 * @throws Error when the file is there but is no key
 */
export async function signingKey(file?: string): Promise<JWK> {
  const kept = file === undefined ? undefined : await read(file);
  if (kept !== undefined) return kept;
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as JWK;
  if (file !== undefined) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(key), { mode: 0o600 });
  }
  return key;
}

async function read(file: string): Promise<JWK | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is damaged: remove it to start with a new key`);
  }
}
