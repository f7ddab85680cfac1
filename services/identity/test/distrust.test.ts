import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditApi, identityApi } from '@muster/contracts';
import { freePort } from '@muster/devstack';
import { type RunningService, SHARED_ORG } from '@muster/service-kit';
import { eventually } from '@muster/testing';
import jsonwebtoken from 'jsonwebtoken';
import { distrustKey, publishedKeys } from '../src/keys/key.service.ts';
import {
  type Identity,
  inside,
  newOwner,
  sessionOf,
  startIdentity,
  startReplica,
} from './identity.fixture.ts';

let service: Identity;
let replica: RunningService;
let impatient: Server;

/** Passes identity's answers on, to be kept for a second instead of a minute. */
async function impatientJwks(origin: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { method, url } = request;
    const body = method === 'POST' ? await text(request) : undefined;
    const answer = await fetch(origin + url, {
      method,
      body,
      headers: { 'content-type': 'application/json' },
    });
    response.setHeader('cache-control', 'public, max-age=1').end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

beforeAll(async () => {
  const port = String(await freePort());
  impatient = await impatientJwks(`http://127.0.0.1:${port}`);
  const JWKS_URL = `http://127.0.0.1:${(impatient.address() as AddressInfo).port}/.well-known/jwks.json`;
  service = await startIdentity({ SERVICE_PORT: port, JWKS_URL });
  replica = await startReplica(service);
});
afterAll(async () => {
  await replica?.stop();
  await service?.stop();
  impatient?.closeAllConnections();
  await new Promise((resolve) => impatient?.close(resolve));
});

const keys = () => inside(service, SHARED_ORG);
const inState = async (state: string) =>
  (await publishedKeys(keys())).filter((key) => key.state === state).map((key) => key._id);
const kidOf = (token: string) => jsonwebtoken.decode(token, { complete: true })?.header.kid ?? '';
const newSession = async () => await sessionOf(service, await newOwner(service));
const statusAt = async (url: string, token: string) =>
  (await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status;

describe('a key that is distrusted', () => {
  test('takes what it signed with it, on every replica; the next one signs at once', async () => {
    const old = await newSession();
    const [next] = await inState('next');
    for (const { url } of [service, replica])
      await eventually(async () => expect(await statusAt(url, old)).toBe(200));

    const distrusted = await distrustKey(keys(), kidOf(old), new Date());

    expect(distrusted).toEqual({ was: 'active', active: next });
    const fresh = await newSession();
    expect(kidOf(fresh)).toBe(next);
    for (const { url } of [service, replica]) {
      await eventually(async () => expect(await statusAt(url, old)).toBe(401), 5_000);
      expect(await statusAt(url, fresh)).toBe(200);
    }
    const published = (await service.client(identityApi).getJwks()).body.keys.map(({ kid }) => kid);
    expect(published).not.toContain(kidOf(old));
    expect([await inState('active'), await inState('next')]).toEqual([[next], [expect.any(String)]]);
  });

  test('that was to sign next is replaced; the active one signs on', async () => {
    const [active] = await inState('active');
    const [next = ''] = await inState('next');
    expect(await distrustKey(keys(), next, new Date())).toEqual({ was: 'next', active });
    expect(await inState('active')).toEqual([active]);
    expect(await inState('next')).toEqual([expect.not.stringMatching(next)]);
  });

  test('that is not there is said so, and nothing changes', async () => {
    const before = await publishedKeys(keys());
    await expect(distrustKey(keys(), 'unknown', new Date())).rejects.toMatchObject({ code: 'not-found' });
    expect(await publishedKeys(keys())).toEqual(before);
  });

  test('by two at once is distrusted once', async () => {
    const [active = ''] = await inState('active');
    const both = await Promise.allSettled(
      [service, replica].map((one) => distrustKey(inside(one, SHARED_ORG), active, new Date())),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect([(await inState('active')).length, (await inState('next')).length]).toEqual([1, 1]);
  });

  test('stands in the audit log of every organization', async () => {
    const owner = await newOwner(service);
    const [active = ''] = await inState('active');
    await distrustKey(keys(), active, new Date());
    for (const token of [await sessionOf(service, owner), undefined]) {
      const audit = service.client(auditApi, token);
      await eventually(async () => {
        const { items } = (await audit.listAudit({ query: { object: active } })).body;
        expect(items).toEqual([
          expect.objectContaining({
            action: 'signing_key.distrusted',
            actor: { id: 'identity', name: 'identity', via: 'system' },
            before: { state: 'active' },
            after: null,
          }),
        ]);
      });
    }
  });
});
