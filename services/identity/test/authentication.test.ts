import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { identityApi, jobsApi, ProblemError, type Role } from '@muster/contracts';
import { DEMO_ORGANIZATION, DEMO_OWNER } from '@muster/service-kit';
import { FORGERIES } from '@muster/testing';
import { v7 } from 'uuid';
import { foundOrganization } from '../src/organizations/organization.service.ts';
import { type Identity, inside, PRODUCTION, startTrusting } from './identity.fixture.ts';

let development: Identity;
let production: Identity;

beforeAll(async () => {
  development = await startTrusting({ MUSTER_MODE: 'development' });
  production = await startTrusting(PRODUCTION);
  await foundOrganization(inside(production, DEMO_ORGANIZATION.id), DEMO_ORGANIZATION.name, DEMO_OWNER);
});
afterAll(async () => {
  await production?.stop();
  await development?.stop();
});

const me = (service: Identity, authorization?: string) =>
  service.fetch(`${service.url}/auth/me`, { headers: authorization === undefined ? {} : { authorization } });

async function expectUnauthorized(answer: Response): Promise<void> {
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(await answer.json()).toMatchObject({ type: 'urn:muster:problem:unauthorized', status: 401 });
}

describe('who is calling', () => {
  test('without a token, development mode acts as the owner of the demo organization', async () => {
    const { body } = await development.client(identityApi).getMe();
    expect(body).toMatchObject({
      user: { id: DEMO_OWNER.id, name: DEMO_OWNER.name, email: DEMO_OWNER.email, picture: null, ip: null },
      organization: DEMO_ORGANIZATION,
      role: 'owner',
      authenticated_by: 'development',
      expires_at: null,
    });
  });

  test('without a token, production mode asks for one', async () => {
    await expectUnauthorized(await me(production));
  });

  test('a valid token is accepted in both modes', async () => {
    for (const service of [development, production]) {
      const exp = Math.floor(Date.now() / 1000) + 600;
      const { body } = await service.client(identityApi, service.tokens.sign({ exp })).getMe();
      expect(body).toMatchObject({
        user: { id: DEMO_OWNER.id },
        authenticated_by: 'session',
        expires_at: new Date(exp * 1000).toISOString(),
      });
    }
  });

  test.each(Object.keys(FORGERIES))('a token with %s is refused in both modes', async (name) => {
    for (const service of [development, production]) {
      const token = FORGERIES[name]?.(service.tokens) ?? '';
      await expectUnauthorized(await me(service, `Bearer ${token}`));
    }
  });

  test.each(['', 'Bearer', 'Bearer ', 'Basic b3duZXI6b3duZXI=', 'Bearer a b', 'abc'])(
    'an Authorization header that reads "%s" is refused, also in development mode',
    async (header) => {
      await expectUnauthorized(await me(development, header));
      await expectUnauthorized(await me(production, header));
    },
  );

  test('a valid token of someone who is not a member is refused', async () => {
    await expectUnauthorized(await me(production, `Bearer ${production.tokens.sign({ sub: v7() })}`));
    await expectUnauthorized(await me(production, `Bearer ${production.tokens.sign({ org: v7() })}`));
  });

  test('the public keys need no token', async () => {
    const { status } = await production.client(identityApi).getJwks();
    expect(status).toBe(200);
  });
});

describe('what a token may do', () => {
  const client = (claims: { role: Role; scopes: string[] }) =>
    production.client(identityApi, production.tokens.sign({ ...claims, kind: 'api_token' }));
  const forbidden = expect.objectContaining({
    status: 403,
    problem: expect.objectContaining({ type: 'urn:muster:problem:forbidden' }),
  });

  test('a token without the scope is told which one it needs', async () => {
    const refused = client({ role: 'owner', scopes: ['sessions:read'] }).listTokens();
    await expect(refused).rejects.toEqual(forbidden);
    await expect(refused).rejects.toThrow('tokens:write');
  });

  test('a scope that does not exist opens nothing', async () => {
    await expect(client({ role: 'owner', scopes: ['*', 'tokens:*'] }).listTokens()).rejects.toEqual(
      forbidden,
    );
  });

  test('/auth/me needs no scope, and shows the scopes that count', async () => {
    const { body } = await client({
      role: 'viewer',
      scopes: ['sessions:read', 'scenarios:write', 'x'],
    }).getMe();
    expect(body.scopes).toEqual(['sessions:read']);
  });

  test('a role that is too weak is refused, whatever the scopes say', async () => {
    const cancel = (role: Role) =>
      production
        .client(jobsApi('identity'), production.tokens.sign({ role, scopes: ['jobs:write'] }))
        .cancelJob({ params: { id: v7() } });
    await expect(cancel('viewer')).rejects.toEqual(forbidden);
    await expect(cancel('member')).rejects.toBeInstanceOf(ProblemError);
    await expect(cancel('member')).rejects.toMatchObject({ status: 404 });
  });
});
