import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The proof that whoever says these words holds the secret that all services share. @param purpose what they are for */
export function proofOf(secret: string, purpose: string, words: readonly string[]): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `muster ${purpose}`, 32));
  return createHmac('sha256', key).update(JSON.stringify(words)).digest('base64url');
}

/** Whether `given` is the proof of these words, in the same time whatever it is. */
export function isProofOf(given: string, secret: string, purpose: string, words: readonly string[]): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(proofOf(secret, purpose, words))];
  return one.length === other.length && timingSafeEqual(one, other);
}
