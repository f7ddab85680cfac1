import { baseConfig, type Ctx, keyRing } from '@muster/service-kit';
import { z } from 'zod';

const FORM = 'expected <id>:<32 bytes in base64>; make one with: openssl rand -base64 32';

/** A ring of key-encryption keys, newest first; see `keyRing`. */
const keyEncryptionKey = z.string(FORM).transform((variable, context) => {
  try {
    return keyRing(variable);
  } catch {
    context.addIssue({ code: 'custom', message: FORM });
    return z.NEVER;
  }
});

/** 32 random bytes hold about 30 different values; `AAAA…` and its like hold a few. */
const FEWEST_DISTINCT_BYTES = 16;

/** The variables of this service beside those that every service reads. */
export const config = baseConfig
  .extend({
    KEY_ENCRYPTION_KEY: keyEncryptionKey,
    SIGNING_KEY_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  })
  .superRefine(({ MUSTER_MODE, KEY_ENCRYPTION_KEY }, context) => {
    if (MUSTER_MODE !== 'production') return;
    for (const [id, key] of KEY_ENCRYPTION_KEY) {
      if (new Set(key).size >= FEWEST_DISTINCT_BYTES) continue;
      const message = `the key "${id}" is a placeholder; make a random one with: openssl rand -base64 32`;
      context.addIssue({ code: 'custom', path: ['KEY_ENCRYPTION_KEY'], message });
    }
  });

export type Config = z.output<typeof config>;
export type IdentityCtx = Ctx<Config>;
