import { z } from 'zod';
import { keyRing } from './envelope.ts';

const FORM = 'expected <id>:<32 bytes in base64>; make one with: openssl rand -base64 32';

/**
 * The variable of a service that seals or opens stored secrets: a ring of key-encryption keys, newest first; see
 * {@link keyRing}. `loadConfig` refuses a placeholder in production.
 */
export const keyEncryptionKey = z.string(FORM).transform((variable, context) => {
  try {
    return keyRing(variable);
  } catch {
    context.addIssue({ code: 'custom', message: FORM });
    return z.NEVER;
  }
});
