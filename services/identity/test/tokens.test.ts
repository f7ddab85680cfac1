import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { identityApi, SCOPE_NAMES, type Scope, scopesOf } from '@muster/contracts';
import { DEMO_ORGANIZATION, DEMO_OWNER, tokenClaims } from '@muster/service-kit';
import { eventually } from '@muster/testing';
import jsonwebtoken from 'jsonwebtoken';
import { v7 } from 'uuid';
import { members } from '../src/members/member.model.ts';
import { tokens } from '../src/tokens/token.model.ts';
import {
  everythingStored,
  type Identity,
  inside,
  newMember,
  newOwner,
  sessionOf,
  startIdentity,
} from './identity.fixture.ts';

const DAY_MS = 86_400_000;
let service: Identity;

beforeAll(async () => {
  service = await startIdentity();
});
afterAll(async () => {
  await service?.stop();
});

const client = (token?: string) => service.client(identityApi, token);
const create = async (body: { name: string; scopes?: Scope[]; expires_in_days?: number }, by?: string) =>
  (await client(by).createToken({ body })).body;

describe('a new token', () => {
  test('acts for its user, with the asked scopes, for the asked days', async () => {
    const before = Date.now();
    const { status, headers, body } = await client().createToken({
      body: { name: ' SIEM forwarder ', scopes: ['sessions:read', 'dashboard:read'], expires_in_days: 30 },
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/auth/tokens/${body.id}/`);
    expect(body).toMatchObject({
      name: 'SIEM forwarder',
      scopes: ['sessions:read', 'dashboard:read'],
      revoked_at: null,
    });
    expect(Math.abs(Date.parse(body.expires_at) - before - 30 * DAY_MS)).toBeLessThan(10_000);

    const seen = (await client(body.token).getMe()).body;
    expect(seen).toMatchObject({
      user: { id: DEMO_OWNER.id },
      organization: DEMO_ORGANIZATION,
      role: 'owner',
      authenticated_by: 'api_token',
      expires_at: body.expires_at,
    });
    expect(new Set(seen.scopes)).toEqual(new Set(body.scopes));
  });

  test('is an ES256 JWT with the declared claims and nothing more, by the active key', async () => {
    const { id, token } = await create({ name: 'claims' });
    const decoded = jsonwebtoken.decode(token, { complete: true });
    const { keys } = (await client().getJwks()).body;
    expect(decoded?.header).toEqual({ alg: 'ES256', typ: 'JWT', kid: expect.any(String) });
    expect(keys.map((key) => key.kid)).toContain(decoded?.header.kid);
    const claims = decoded?.payload as Record<string, unknown>;
    expect(new Set(Object.keys(claims))).toEqual(
      new Set([...Object.keys(tokenClaims.shape), 'iss', 'aud', 'iat']),
    );
    expect(claims).toMatchObject({
      iss: 'urn:muster:identity',
      aud: 'urn:muster:api',
      jti: id,
      sub: DEMO_OWNER.id,
      org: DEMO_ORGANIZATION.id,
      kind: 'api_token',
    });
  });

  test('only reads, for 90 days, when nothing is said', async () => {
    const { scopes, created_at, expires_at } = await create({ name: 'reader' });
    expect(scopes).toEqual(SCOPE_NAMES.filter((scope) => scope.endsWith(':read')));
    expect(Math.abs(Date.parse(expires_at) - Date.parse(created_at) - 90 * DAY_MS)).toBeLessThan(1_000);
  });

  test.each([
    ['a scope that does not exist', { name: 'n', scopes: ['events:*'] }, '/scopes/0'],
    ['no scope at all', { name: 'n', scopes: [] }, '/scopes'],
    ['no name', { scopes: ['sessions:read'] }, '/name'],
    ['an empty name', { name: '  ' }, '/name'],
    ['a name of 81 characters', { name: 'n'.repeat(81) }, '/name'],
    ['no day', { name: 'n', expires_in_days: 0 }, '/expires_in_days'],
    ['more than a year', { name: 'n', expires_in_days: 366 }, '/expires_in_days'],
    ['half a day', { name: 'n', expires_in_days: 1.5 }, '/expires_in_days'],
    ['a role', { name: 'n', role: 'owner' }, '/role'],
    ['an organization', { name: 'n', org_id: 'x' }, '/org_id'],
  ])('with %s is refused, and nothing is stored', async (_what, body, path) => {
    const before = (await client().listTokens()).body.total;
    await expect(client().createToken({ body: body as never })).rejects.toMatchObject({
      status: 422,
      problem: { errors: [expect.objectContaining({ path })] },
    });
    expect((await client().listTokens()).body.total).toBe(before);
  });
});

describe('a token cannot make a wider one', () => {
  test('a viewer asks for what the role does not allow: each such scope is named', async () => {
    const viewer = await newMember(service, DEMO_ORGANIZATION.id, 'viewer');
    const session = await sessionOf(service, viewer);
    const asked = create({ name: 'n', scopes: ['scenarios:write', 'sessions:read', 'jobs:write'] }, session);
    await expect(asked).rejects.toMatchObject({
      status: 422,
      problem: {
        errors: [
          expect.objectContaining({
            path: '/scopes/0',
            message: expect.stringContaining('scenarios:write'),
          }),
          expect.objectContaining({ path: '/scopes/2', message: expect.stringContaining('jobs:write') }),
        ],
      },
    });
    const all = await create({ name: 'all', scopes: scopesOf('viewer') }, session);
    expect(all.scopes).toEqual(scopesOf('viewer'));
  });

  test('nor one with more scopes, nor one that lives longer', async () => {
    const narrow = await create({
      name: 'narrow',
      scopes: ['tokens:write', 'sessions:read'],
      expires_in_days: 2,
    });
    await expect(create({ name: 'n', scopes: ['sessions:write'] }, narrow.token)).rejects.toMatchObject({
      status: 422,
    });
    const child = await create({ name: 'child', scopes: narrow.scopes, expires_in_days: 30 }, narrow.token);
    expect(new Set(child.scopes)).toEqual(new Set(narrow.scopes));
    expect(child.expires_at).toBe(narrow.expires_at);
  });

  test('nor one that is left when it is revoked itself', async () => {
    const parent = await create({ name: 'parent', scopes: ['tokens:write', 'sessions:read'] });
    const child = await create({ name: 'child', scopes: ['tokens:write', 'sessions:read'] }, parent.token);
    const grandchild = await create({ name: 'grandchild', scopes: ['sessions:read'] }, child.token);
    const sibling = await create({ name: 'sibling' });
    await client().revokeToken({ params: { id: parent.id } });
    for (const { id, token } of [child, grandchild]) {
      expect((await client().getToken({ params: { id } })).body.revoked_at).not.toBeNull();
      await eventually(() => expect(client(token).getMe()).rejects.toMatchObject({ status: 401 }), 5_000);
    }
    expect((await client(sibling.token).getMe()).status).toBe(200);
  });

  test('a session from before a demotion makes tokens of the weaker role', async () => {
    const { org } = await newOwner(service);
    const admin = await newMember(service, org, 'admin');
    const session = await sessionOf(service, admin);
    await members(inside(service, org)).updateOne({ user_id: admin.id }, { $set: { role: 'viewer' } });
    const { token, scopes } = await create({ name: 'n', scopes: scopesOf('viewer') }, session);
    expect(scopes).toEqual(scopesOf('viewer'));
    await expect(create({ name: 'n', scopes: ['audit:read'] }, session)).rejects.toMatchObject({
      status: 422,
    });
    expect((await client(token).getMe()).body.role).toBe('viewer');
  });

  test('someone who was suspended makes none', async () => {
    const { org } = await newOwner(service);
    const member = await newMember(service, org, 'member');
    const session = await sessionOf(service, member);
    await members(inside(service, org)).updateOne({ user_id: member.id }, { $set: { status: 'suspended' } });
    await expect(create({ name: 'n' }, session)).rejects.toMatchObject({ status: 401 });
    await expect(client(session).getMe()).rejects.toMatchObject({ status: 401 });
  });
});

describe('the secret is shown once', () => {
  test('no later answer and no stored document holds it', async () => {
    const { id, token } = await create({ name: 'secret' });
    const signature = token.split('.')[2] ?? '';
    const [one, list] = [await client().getToken({ params: { id } }), await client().listTokens()];
    expect(JSON.stringify([one.body, list.body])).not.toContain(signature);
    expect(one.body).not.toHaveProperty('token');
    expect((await everythingStored(service)).includes(signature)).toBe(false);
  });

  test('the same request under the same Idempotency-Key answers the same, and makes one token', async () => {
    const body = { name: 'repeated' };
    const headers = { 'Idempotency-Key': v7() };
    const first = await client().createToken({ body }, { headers });
    const again = await client().createToken({ body }, { headers });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const named = await tokens(inside(service, DEMO_ORGANIZATION.id)).count({ name: 'repeated' });
    expect(named).toBe(1);
    const signature = first.body.token.split('.')[2] ?? '';
    expect((await everythingStored(service)).includes(signature)).toBe(false);
  });

  test('another request under the same key is refused', async () => {
    const headers = { 'Idempotency-Key': v7() };
    await client().createToken({ body: { name: 'one' } }, { headers });
    await expect(client().createToken({ body: { name: 'other' } }, { headers })).rejects.toMatchObject({
      status: 422,
      problem: { type: 'urn:muster:problem:idempotency-key-reused' },
    });
  });
});
