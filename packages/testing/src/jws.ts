import { createHmac, type KeyObject, sign } from 'node:crypto';

export type Json = Record<string, unknown>;
type Signature = (input: string) => Buffer;

/** JSON as a part of a JWT. */
export const encoded = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** JWS compact serialization (RFC 7515, section 7.1), without a library: forgeries need what libraries refuse. */
export function jws(header: Json, claims: Json, signature: Signature): string {
  const input = `${encoded({ typ: 'JWT', ...header })}.${encoded(claims)}`;
  return `${input}.${signature(input).toString('base64url')}`;
}

export function es256(key: KeyObject): Signature {
  return (input) => sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
}

export function rs256(key: KeyObject): Signature {
  return (input) => sign('sha256', Buffer.from(input), key);
}

export function hs256(secret: string | Buffer): Signature {
  return (input) => createHmac('sha256', secret).update(input).digest();
}

/** The signature of the algorithm `none`. */
export const unsigned: Signature = () => Buffer.alloc(0);
