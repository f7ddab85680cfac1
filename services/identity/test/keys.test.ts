import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { identityApi } from '@muster/contracts';
import { DEMO_ORGANIZATION, type RunningService, SHARED_ORG } from '@muster/service-kit';
import jsonwebtoken from 'jsonwebtoken';
import { signingKeys } from '../src/keys/key.model.ts';
import { thumbprint } from '../src/keys/key.rules.ts';
import { publishedKeys, rotateKeys, rotateWhenDue } from '../src/keys/key.service.ts';
import {
  everythingStored,
  type Identity,
  inside,
  newKeyEncryptionKey,
  startIdentity,
  startReplica,
} from './identity.fixture.ts';

const DAY_MS = 86_400_000;
let service: Identity;
let replica: RunningService;

beforeAll(async () => {
  service = await startIdentity();
  replica = await startReplica(service);
});
afterAll(async () => {
  await replica?.stop();
  await service?.stop();
});

const keys = (of: RunningService = service) => publishedKeys(inside(of, SHARED_ORG));
const inState = async (state: string, of: RunningService = service) =>
  (await keys(of)).filter((key) => key.state === state).map((key) => key._id);
const newToken = async () =>
  (await service.client(identityApi).createToken({ body: { name: 'n' } })).body.token;
const kidOf = (token: string) => jsonwebtoken.decode(token, { complete: true })?.header.kid;
const statusAt = async (url: string, token: string) =>
  (await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status;
let clock = Date.now();
/** A clock that stands at five minutes later with each look: by then every service knows what was published before. */
const later = () => {
  clock += 5 * 60_000;
  return new Date(clock);
};

describe('the published keys', () => {
  test('are the active and the next one, public halves only, named by their thumbprints', async () => {
    const { body, headers } = await service.client(identityApi).getJwks();
    const published = body.keys.map((key) => key.kid);
    expect(new Set(published)).toEqual(new Set([...(await inState('active')), ...(await inState('next'))]));
    expect(published).toHaveLength(2);
    for (const key of body.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      expect(key.kid).toBe(thumbprint(key));
      expect(createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    }
    expect(headers.get('etag')).toBeTruthy();
  });

  test('may be kept by anyone for a minute', async () => {
    const { headers } = await service.client(identityApi).getJwks();
    expect(headers.get('cache-control')).toBe('public, max-age=60');
  });

  test('private halves are sealed where they are stored', async () => {
    const [active] = (await keys()).filter((key) => key.state === 'active');
    expect(active?.private_key).toEqual({
      key_id: 'test',
      wrapped_key: expect.any(String),
      ciphertext: expect.any(String),
    });
    const stored = await everythingStored(service);
    for (const trace of ['PRIVATE KEY', '"d":']) expect(stored.includes(trace)).toBe(false);
  });
});

describe('starting', () => {
  test('three replicas on an empty database at once make one pair of keys', async () => {
    const MONGODB_DB = `${service.env.MONGODB_DB}_cold`;
    const replicas = await Promise.all([1, 2, 3].map(() => startReplica(service, { MONGODB_DB })));
    const [first] = replicas;
    if (!first) throw new Error('no replica started');
    try {
      expect(await keys(first)).toHaveLength(2);
      expect(await inState('active', first)).toHaveLength(1);
      expect(await inState('next', first)).toHaveLength(1);
    } finally {
      await first.runtime.connection.dropDatabase();
      for (const started of replicas) await started.stop();
    }
  });

  test('another start keeps the keys', async () => {
    const before = await keys();
    const another = await startReplica(service);
    await another.stop();
    expect(await keys()).toEqual(before);
  });

  test('with a new key-encryption key in front, the old one still opens', async () => {
    const newest = newKeyEncryptionKey().replace('test:', 'newest:');
    const KEY_ENCRYPTION_KEY = `${newest},${service.env.KEY_ENCRYPTION_KEY}`;
    const another = await startReplica(service, { KEY_ENCRYPTION_KEY });
    await another.stop();
  });
});

describe('rotation', () => {
  test('the next key signs, the old one only verifies, nobody is logged out', async () => {
    const old = await newToken();
    expect(await statusAt(service.url, old)).toBe(200);
    expect(await statusAt(replica.url, old)).toBe(200);
    const [next] = await inState('next');

    const rotation = await rotateKeys(inside(service, SHARED_ORG), later());

    expect(rotation).toEqual({ retired: kidOf(old), active: next, next: (await inState('next'))[0] });
    const fresh = await newToken();
    expect(kidOf(fresh)).toBe(next);
    for (const { url } of [service, replica]) {
      expect(await statusAt(url, old)).toBe(200);
      expect(await statusAt(url, fresh)).toBe(200);
    }
    const published = (await service.client(identityApi).getJwks()).body.keys.map((key) => key.kid);
    expect(new Set(published)).toEqual(new Set(Object.values(rotation)));
  });

  test('what a retired key leaves behind cannot sign, and stays until its last token has expired', async () => {
    const now = later();
    const { retired } = await rotateKeys(inside(service, SHARED_ORG), now);
    const left = (await keys()).find((key) => key._id === retired);
    expect(left).not.toHaveProperty('private_key');
    expect(left?.retired_at).toEqual(now);
    expect((left?.keep_until?.getTime() ?? 0) - now.getTime()).toBeGreaterThan(365 * DAY_MS);
  });

  test('a next key that not every service can know yet does not sign', async () => {
    const before = await keys();
    const moment = new Date(clock + 20_000);
    await expect(rotateKeys(inside(service, SHARED_ORG), moment)).rejects.toThrow(
      'not every service knows it yet: rotate again in 70 s',
    );
    expect(await keys()).toEqual(before);
  });

  test('comes by itself once the active key has signed for SIGNING_KEY_DAYS, and in one replica only', async () => {
    const [active] = (await keys()).filter((key) => key.state === 'active');
    const due = new Date((active?.activated_at?.getTime() ?? 0) + 30 * DAY_MS);
    expect(await rotateWhenDue(inside(service, SHARED_ORG), new Date(due.getTime() - 1))).toBeNull();

    const replicas = [service, replica, service, replica];
    const rotations = await Promise.all(replicas.map((one) => rotateWhenDue(inside(one, SHARED_ORG), due)));

    expect(rotations.filter((rotation) => rotation !== null)).toHaveLength(1);
    expect(await inState('active')).not.toEqual([active?._id]);
    expect(await inState('active')).toHaveLength(1);
    expect(await inState('next')).toHaveLength(1);
  });

  test('is looked for at each start, and every hour by a job', async () => {
    const { connection } = service.runtime;
    const [active] = await inState('active');
    const past = new Date(Date.now() - 31 * DAY_MS);
    const kept = signingKeys(inside(service, SHARED_ORG));
    await kept.updateMany({}, { $set: { created_at: past } });
    await kept.updateMany({ state: 'active' }, { $set: { activated_at: past } });

    const another = await startReplica(service);
    await another.stop();

    expect(await inState('active')).not.toEqual([active]);
    const scheduled = await connection
      .collection('schedules')
      .find({ kind: 'rotate-signing-keys' })
      .toArray();
    expect(scheduled).toMatchObject([{ org_id: SHARED_ORG, every_minutes: 60, paused: false }]);
  });

  test('is nothing an organization could reach', async () => {
    const ofDemo = await service.runtime.connection
      .collection('signing_keys')
      .countDocuments({ org_id: DEMO_ORGANIZATION.id });
    expect(ofDemo).toBe(0);
    expect(new Set((await keys()).map((key) => key.org_id))).toEqual(new Set([SHARED_ORG]));
  });
});
