import { createHash, randomBytes } from 'node:crypto';
import { type Ctx, isDuplicateKey, trusted } from '@muster/service-kit';
import { SETUP_ID, setups } from './setup.model.ts';

const HOUR_MS = 3_600_000;
export const SETUP_HOURS = 24;

/**
 * Makes a setup link in place of any before it.
 * @returns its token, which is kept nowhere; null once an organization was founded with one
 */
export async function newSetupToken(ctx: Ctx): Promise<string | null> {
  const token = randomBytes(32).toString('base64url');
  const made = { token_digest: digestOf(token), expires_at: new Date(Date.now() + SETUP_HOURS * HOUR_MS) };
  try {
    await setups(ctx).updateOne({ _id: SETUP_ID, founded_at: null }, { $set: made }, { upsert: true });
    return token;
  } catch (error) {
    // The row is there, and founded: the filter did not find it.
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/** Whether a token is the newest setup link's and still good. */
export async function isSetupToken(ctx: Ctx, token: string): Promise<boolean> {
  return (await setups(ctx).findOne(good(token))) !== null;
}

/** Uses a setup link up; true when it was good. In a transaction, that it is used and what it is used for are one. */
export async function useSetupToken(ctx: Ctx, token: string): Promise<boolean> {
  const used = { token_digest: null, founded_at: new Date() };
  return await setups(ctx).updateOne(good(token), { $set: used });
}

const good = (token: string) => ({
  _id: SETUP_ID,
  token_digest: digestOf(token),
  founded_at: null,
  expires_at: trusted({ $gt: new Date() }),
});

const digestOf = (token: string) => createHash('sha256').update(token).digest('base64url');
