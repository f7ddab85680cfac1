import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The server side of SCRAM-SHA-256 (RFC 5802, RFC 7677) without channel binding. */
export const MECHANISM = 'SCRAM-SHA-256';

/** What MongoDB uses; drivers refuse less than 4096. */
const ITERATIONS = 15_000;
const FIRST = /^([ny],,)(n=([^,]*),r=([\x21-\x2b\x2d-\x7e]+))$/;
const FINAL = /^(c=([A-Za-z\d+/=]*),r=([\x21-\x2b\x2d-\x7e]+)),p=([A-Za-z\d+/=]+)$/;

/** What a server keeps of a password. */
export interface Keys {
  stored: Buffer;
  server: Buffer;
}

/** A login that was begun. */
export interface Exchange {
  /** The server's first message. */
  challenge: string;
  /** Checks the client's final message; answers the server's, or undefined when the client does not know the password. */
  finish(message: string): string | undefined;
}

/** Derives the keys of a password, which must be ASCII: others would need SASLprep. */
export function keysOf(password: string, salt: Buffer, iterations: number): Keys {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  return { stored: hash(hmac(salted, 'Client Key')), server: hmac(salted, 'Server Key') };
}

/** The server's signature for a client whose proof fits; undefined for another. */
export function signature({ stored, server }: Keys, messages: string, proof: Buffer): Buffer | undefined {
  const mask = hmac(stored, messages);
  if (proof.length !== mask.length) return undefined;
  const clientKey = mask.map((byte, at) => byte ^ (proof[at] ?? 0));
  return timingSafeEqual(hash(clientKey), stored) ? hmac(server, messages) : undefined;
}

/**
 * Makes what begins logins of the one user there is. An unknown name gets a challenge like any other and fails in the
 * end, so that names cannot be tried.
 * @returns a function from the client's first message to the exchange; it answers undefined for what is none
 */
export function scram(user: string, password: string): (message: string) => Exchange | undefined {
  const secret = randomBytes(32);
  const saltOf = (name: string) => hmac(secret, name).subarray(0, 28);
  const known = keysOf(password, saltOf(user), ITERATIONS);
  const nobody = keysOf(randomBytes(24).toString('hex'), randomBytes(28), 1);
  return (message) => {
    const [, header = '', bare = '', name = '', clientNonce = ''] = FIRST.exec(message) ?? [];
    if (bare === '') return undefined;
    const nonce = clientNonce + randomBytes(24).toString('base64');
    const challenge = `r=${nonce},s=${saltOf(name).toString('base64')},i=${ITERATIONS}`;
    return {
      challenge,
      finish(final) {
        const [, unproven = '', binding, echo, proof = ''] = FINAL.exec(final) ?? [];
        if (echo !== nonce || binding !== Buffer.from(header).toString('base64')) return undefined;
        const messages = `${bare},${challenge},${unproven}`;
        const signed = signature(name === user ? known : nobody, messages, Buffer.from(proof, 'base64'));
        return signed && `v=${signed.toString('base64')}`;
      },
    };
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function hash(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
