import { work } from '@muster/service-kit';
import { z } from 'zod';
import { rotateWhenDue } from './key.service.ts';

/** Looks whether the active signing key is due, and rotates if it is. */
export const keyRotation = work({
  kind: 'rotate-signing-keys',
  payload: z.strictObject({}),
  run: async (ctx) => {
    await rotateWhenDue(ctx, new Date());
    return null;
  },
});
