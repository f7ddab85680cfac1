import { generateKeyPairSync } from 'node:crypto';
import { identityChangeRecorded } from '@muster/contracts';
import {
  AppError,
  type Ctx,
  isDuplicateKey,
  open,
  recordChange,
  rewrap,
  SHARED_ORG,
  seal,
  TOKEN_ALGORITHM,
  type TokenClaims,
  trusted,
} from '@muster/service-kit';
import jsonwebtoken from 'jsonwebtoken';
import { config } from '../config.ts';
import { organizationIds } from '../organizations/organization.service.ts';
import { type SigningKeyDoc, signingKeyCollection, signingKeys } from './key.model.ts';
import { keepUntil, rotationDue, secondsUntilKnown, thumbprint } from './key.rules.ts';

/** The ids of the keys that changed their state. */
export interface Rotation {
  retired: string;
  active: string;
  next: string;
}

/** Signs a token with the active key. */
export async function signToken(ctx: Ctx, claims: TokenClaims): Promise<string> {
  const { active } = await usableKeys(ctx);
  const { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: audience } = ctx.config;
  return jsonwebtoken.sign(claims, privateKey(ctx, active), {
    algorithm: TOKEN_ALGORITHM,
    keyid: active._id,
    issuer,
    audience,
  });
}

/** Every key that verifies a token or soon will, newest first. */
export async function publishedKeys(ctx: Ctx): Promise<SigningKeyDoc[]> {
  return await signingKeys(ctx).find({}, { sort: { created_at: -1, _id: 1 } });
}

/**
 * Makes the first active and next key where there are none; of several replicas one pair wins. Raises when
 * KEY_ENCRYPTION_KEY does not open the keys that are there.
 */
export async function ensureKeys(ctx: Ctx): Promise<void> {
  try {
    await ctx.inTransaction(async (inside) => {
      if (await signingKeys(inside).findOne({ state: 'active' })) return;
      const now = new Date();
      await signingKeys(inside).insert(newKey(ctx, 'active', now));
      await signingKeys(inside).insert(newKey(ctx, 'next', now));
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const { active, next } = await usableKeys(ctx);
  privateKey(ctx, active);
  privateKey(ctx, next);
}

/** Rotates, and says so in the log, when the active key has signed for SIGNING_KEY_DAYS; answers null when it has not. */
export async function rotateWhenDue(ctx: Ctx, now: Date): Promise<Rotation | null> {
  const rotation = await ctx.inTransaction(async (inside) => {
    const { active } = await usableKeys(inside);
    const signingSince = active.activated_at ?? active.created_at;
    if (!rotationDue(signingSince, config(ctx).SIGNING_KEY_DAYS, now)) return null;
    return await rotateKeys(inside, now);
  });
  if (rotation) ctx.log.info(rotation, 'signing keys rotated');
  return rotation;
}

/**
 * The next key signs from now on, the active one only verifies, and a new next one is published. Tokens stay valid.
 * Raises `conflict` when the next key is so new that not every service may know it.
 */
export async function rotateKeys(ctx: Ctx, now: Date): Promise<Rotation> {
  return await ctx.inTransaction(async (inside) => {
    const { active, next } = await usableKeys(inside);
    const seconds = secondsUntilKnown(next, active, now);
    if (seconds > 0) {
      throw new AppError(
        'conflict',
        `The next key was published a moment ago and not every service knows it yet: rotate again in ${seconds} s.`,
      );
    }
    const made = newKey(ctx, 'next', now);
    await signingKeys(inside).updateOne(
      { _id: active._id },
      { $set: { state: 'retired', retired_at: now, keep_until: keepUntil(now) }, $unset: { private_key: 1 } },
    );
    await signingKeys(inside).updateOne({ _id: next._id }, { $set: { state: 'active', activated_at: now } });
    await signingKeys(inside).insert(made);
    return { retired: active._id, active: next._id, next: made._id };
  });
}

/**
 * Takes a key out at once: no token that it signed is worth anything once every service has read the JWKS again, within
 * a minute or so. The next key signs in place of an active one, and a new one is made in place of either. The audit log
 * of every organization tells it. Raises `not-found` for a key that is not there.
 * @returns the state it was in, and the id of the key that signs now
 */
export async function distrustKey(
  ctx: Ctx,
  kid: string,
  now: Date,
): Promise<{ was: SigningKeyDoc['state']; active: string }> {
  return await ctx.inTransaction(async (inside) => {
    const { active, next } = await usableKeys(inside);
    const key = await signingKeys(inside).findOne({ _id: kid });
    if (!key) throw new AppError('not-found', `There is no signing key ${kid}: see npm run keys -- list`);
    await signingKeys(inside).deleteOne({ _id: kid });
    const signs = key.state === 'active' ? next : active;
    if (signs === next)
      await signingKeys(inside).updateOne(
        { _id: next._id },
        { $set: { state: 'active', activated_at: now } },
      );
    if (key.state !== 'retired') await signingKeys(inside).insert(newKey(ctx, 'next', now));
    for (const org of await organizationIds(inside)) await recordDistrust(inside.forOrganization(org), key);
    return { was: key.state, active: signs._id };
  });
}

async function recordDistrust(ctx: Ctx, { _id: id, state }: SigningKeyDoc): Promise<void> {
  await recordChange(ctx, identityChangeRecorded, {
    action: 'signing_key.distrusted',
    object: { kind: 'signing_key', id, name: id },
    before: { state },
    after: null,
  });
}

/** Wraps the private keys under the newest key-encryption key; see {@link rewrap}. Answers how many there were to do. */
export async function rewrapKeys(ctx: Ctx): Promise<number> {
  return await ctx.inTransaction(async (inside) => {
    let done = 0;
    for (const { _id, private_key } of await publishedKeys(inside)) {
      if (!private_key) continue;
      const wrapped = rewrap(config(ctx).KEY_ENCRYPTION_KEY, bindingOf(_id), private_key);
      if (wrapped === private_key) continue;
      await signingKeys(inside).updateOne({ _id }, { $set: { private_key: wrapped } });
      done += 1;
    }
    return done;
  });
}

async function usableKeys(ctx: Ctx): Promise<{ active: SigningKeyDoc; next: SigningKeyDoc }> {
  const found = await signingKeys(ctx).find({ state: trusted({ $in: ['active', 'next'] }) });
  const active = found.find((key) => key.state === 'active');
  const next = found.find((key) => key.state === 'next');
  if (!active || !next) throw new Error('The signing keys are gone: start identity again, it makes new ones');
  return { active, next };
}

/** P-256, as ES256 wants it. */
function newKey(ctx: Ctx, state: 'active' | 'next', now: Date): Omit<SigningKeyDoc, 'org_id'> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
  const _id = thumbprint({ x, y });
  const pem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return {
    _id,
    state,
    public_point: { x, y },
    private_key: seal(config(ctx).KEY_ENCRYPTION_KEY, bindingOf(_id), pem),
    created_at: now,
    activated_at: state === 'active' ? now : null,
    retired_at: null,
    keep_until: null,
  };
}

function privateKey(ctx: Ctx, key: SigningKeyDoc): string {
  try {
    if (!key.private_key) throw new Error('it has been erased');
    return open(config(ctx).KEY_ENCRYPTION_KEY, bindingOf(key._id), key.private_key);
  } catch (cause) {
    throw new Error(
      `KEY_ENCRYPTION_KEY does not open the signing key ${key._id}: put the key "${key.private_key?.key_id}" back into it`,
      { cause },
    );
  }
}

const bindingOf = (kid: string) => `${SHARED_ORG}/${signingKeyCollection.name}/${kid}/private_key`;
