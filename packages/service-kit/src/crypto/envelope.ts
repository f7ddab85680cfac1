import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A secret at rest: AES-256-GCM under a data key of its own, the data key wrapped by the key-encryption key. */
export interface SealedSecret {
  key_id: string;
  wrapped_key: string;
  ciphertext: string;
}

/** Key-encryption keys by id, 32 bytes each; the first seals, all open, so that keys can be rotated. */
export type KeyRing = ReadonlyMap<string, Buffer>;

/**
 * Reads `KEY_ENCRYPTION_KEY`: comma-separated `<id>:<32 bytes in base64>`, newest first.
 * Raises when a key is not 32 bytes, or two have the same id.
 */
export function keyRing(variable: string): KeyRing {
  const entries = variable.split(',').map((entry) => {
    const [id = '', encoded = ''] = entry.trim().split(':');
    const key = Buffer.from(encoded, 'base64');
    if (id === '' || key.length !== 32) {
      throw new Error(
        'KEY_ENCRYPTION_KEY must be <id>:<32 bytes in base64>, newest first, separated by commas',
      );
    }
    return [id, key] as const;
  });
  const ring = new Map(entries);
  if (ring.size < entries.length) throw new Error('KEY_ENCRYPTION_KEY must give each key an id of its own');
  return ring;
}

/** Seals a secret, bound to where it belongs: it opens only with the same `binding` (organization, record and field). */
export function seal(ring: KeyRing, binding: string, secret: string): SealedSecret {
  const [keyId, master] = newestOf(ring);
  const dataKey = randomBytes(32);
  return {
    key_id: keyId,
    wrapped_key: encrypt(master, binding, dataKey),
    ciphertext: encrypt(dataKey, binding, Buffer.from(secret, 'utf8')),
  };
}

/** Opens a sealed secret. Raises when it was moved, edited, or its key is gone. */
export function open(ring: KeyRing, binding: string, sealed: SealedSecret): string {
  return decrypt(dataKeyOf(ring, binding, sealed), binding, sealed.ciphertext).toString('utf8');
}

/**
 * Wraps a sealed secret's data key under the ring's newest key, so that older ones can go; what is sealed stays as it
 * is and is not opened. Answers the same secret when there is nothing to do. Raises as {@link open} does.
 */
export function rewrap(ring: KeyRing, binding: string, sealed: SealedSecret): SealedSecret {
  const [keyId, newest] = newestOf(ring);
  if (sealed.key_id === keyId) return sealed;
  const wrapped_key = encrypt(newest, binding, dataKeyOf(ring, binding, sealed));
  return { ...sealed, key_id: keyId, wrapped_key };
}

function newestOf(ring: KeyRing): [string, Buffer] {
  const [newest] = ring;
  if (!newest) throw new Error('There is no key-encryption key');
  return newest;
}

function dataKeyOf(ring: KeyRing, binding: string, sealed: SealedSecret): Buffer {
  const master = ring.get(sealed.key_id);
  if (!master) throw new Error(`The key-encryption key ${sealed.key_id} is not in KEY_ENCRYPTION_KEY`);
  return decrypt(master, binding, sealed.wrapped_key);
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Without it a tag cut to 4 bytes is accepted, which can be guessed. */
const WHOLE_TAG = { authTagLength: TAG_BYTES };

function encrypt(key: Buffer, binding: string, plain: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, WHOLE_TAG).setAAD(Buffer.from(binding, 'utf8'));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
}

function decrypt(key: Buffer, binding: string, encoded: string): Buffer {
  const whole = Buffer.from(encoded, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, whole.subarray(0, IV_BYTES), WHOLE_TAG)
    .setAAD(Buffer.from(binding, 'utf8'))
    .setAuthTag(whole.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(whole.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}
