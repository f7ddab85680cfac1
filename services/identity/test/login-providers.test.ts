import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEMO_ORGANIZATION, SHARED_ORG } from '@muster/service-kit';
import { providerVariables, startHostileProvider } from '@muster/testing';
import { linkId, links } from '../src/links/link.model.ts';
import { fetchFromProvider } from '../src/providers/fetch.service.ts';
import { type Identity, inside, newOwner, startIdentity } from './identity.fixture.ts';
import {
  expectRefused,
  invite,
  type Logins,
  newBrowser,
  newPerson,
  signIn,
  startLogins,
} from './login.fixture.ts';

const UNREACHABLE = 'The sign-in provider cannot be reached';

async function listening(answer: RequestListener, port = 0): Promise<{ server: Server; url: string }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
const closed = (server: Server) => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
};

describe('Microsoft Entra ID', () => {
  const ours = newPerson({ tid: 'Tenant-1', oid: 'object-1' });
  const theirs = newPerson({ tid: 'tenant-2', oid: 'object-2' });
  const tenantless = newPerson({ oid: 'object-3' });
  let logins: Logins;

  beforeAll(async () => {
    logins = await startLogins([ours, theirs, tenantless], {
      PROVIDER_A_PRESET: 'entra',
      PROVIDER_A_ALLOWED_TENANTS: 'tenant-1',
      PROVIDER_B_PRESET: 'entra',
      PROVIDER_B_ALLOWED_TENANTS: 'tenant-9,tenant-1',
    });
  });
  afterAll(async () => {
    await logins?.stop();
  });

  test.each([theirs, tenantless])('lets in nobody of a tenant that is not allowed', async ({ sub }) => {
    const { answer } = await signIn(logins, sub);
    await expectRefused(answer, 403, 'Your tenant may not sign in here');
  });

  test('does not take `email_verified` for a verified address', async () => {
    const owner = await newOwner(logins.service);
    const token = await invite(logins.service, owner.org, ours.email ?? '', 'viewer');
    const { answer } = await signIn(logins, ours.sub, { invite: token });
    await expectRefused(answer, 403, 'Your e-mail address is not verified');
    const id = linkId({ issuer: 'urn:entra:tenant-1', subject: 'object-1' });
    expect(await links(inside(logins.service, SHARED_ORG)).findOne({ _id: id })).toBeNull();
  });

  test('knows people by tenant and object, and takes the address whose domain is verified', async () => {
    const { service, hostile } = logins;
    const owner = await newOwner(service);
    const person = { tid: 'tenant-1', oid: 'object-9', email: 'nine@example.org', xms_edov: true };
    const come = async (claims: Record<string, unknown>, query: Record<string, string> = {}) => {
      hostile.behave({ claims: { ...person, ...claims } });
      const browser = newBrowser(service);
      return await browser.get(await hostile.signIn(await browser.begin('provider-b', query)));
    };
    const token = await invite(service, owner.org, person.email, 'viewer');
    expect((await come({}, { invite: token })).status).toBe(302);
    expect((await come({ sub: 'of another application', xms_edov: false })).status).toBe(302);
    const nowhere = 'You do not belong to an organization here yet';
    await expectRefused(await come({ oid: 'object-10', email: 'ten@example.org' }), 403, nowhere);
    await expectRefused(await come({ tid: 'tenant-9', email: 'ten@example.org' }), 403, nowhere);
    await expectRefused(await come({ oid: undefined }), 401, 'You are not signed in');
  });
});

describe('a provider that is away', () => {
  let service: Identity;
  let away: string;

  beforeAll(async () => {
    const { server, url } = await listening(() => undefined);
    away = url;
    await closed(server);
    service = await startIdentity({
      PROVIDER_A_ISSUER: away,
      PROVIDER_A_NAME: 'Away',
      PROVIDER_A_CLIENT_ID: 'muster',
      PROVIDER_A_CLIENT_SECRET: 'secret',
    });
  });
  afterAll(async () => {
    await service?.stop();
  });

  const login = () => newBrowser(service).get('/auth/provider-a/login');

  test('does not keep identity from starting: its login says that it cannot be reached', async () => {
    await expectRefused(await login(), 400, UNREACHABLE);
    const page = await newBrowser(service).get('/auth/login');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Continue with Away');
  });

  test.each<[string, RequestListener]>([
    ['an error', (_request, response) => response.writeHead(500).end()],
    ['a page', (_request, response) => response.setHeader('content-type', 'text/html').end('<p>Hello</p>')],
    [
      'a redirect',
      (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    ['another issuer', (_request, response) => sendJson(response, { issuer: 'https://evil.example' })],
    ['no end', (_request, response) => sendJson(response, { issuer: away, more: 'x'.repeat(2_000_000) })],
    ['nothing', (request) => request.destroy()],
  ])('and answers with %s is no provider', async (_what, answer) => {
    const { server } = await listening(answer, Number(new URL(away).port));
    try {
      await expectRefused(await login(), 400, UNREACHABLE);
    } finally {
      await closed(server);
    }
  });

  test('and comes back is asked again', async () => {
    const endpoints = {
      issuer: away,
      authorization_endpoint: `${away}/authorize`,
      token_endpoint: `${away}/token`,
      jwks_uri: `${away}/jwks`,
    };
    const { server } = await listening(
      (_request, response) => sendJson(response, endpoints),
      Number(new URL(away).port),
    );
    const answer = await login();
    await closed(server);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toMatch(`${away}/authorize?`);
    // What is known of a provider lasts while it is away.
    expect((await login()).status).toBe(302);
  });

  test('that is not set up is no login', async () => {
    const answer = await newBrowser(service).get('/auth/provider-b/login');
    await expectRefused(answer, 400, 'This sign-in is not set up');
  });
});

function sendJson(response: Parameters<RequestListener>[1], body: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

test('where the ID token names no e-mail, UserInfo does, and only of the same person', async () => {
  const person = newPerson();
  let said = { ...person };
  const { server, url } = await listening((_request, response) => sendJson(response, said));
  const hostile = await startHostileProvider(
    { discovery: { userinfo_endpoint: `${url}/userinfo` } },
    { sub: person.sub, name: 'x' },
  );
  const service = await startIdentity({
    PUBLIC_ORIGIN: 'http://127.0.0.1:1',
    ...providerVariables('A', hostile),
  });
  try {
    const owner = await newOwner(service);
    const come = async (query: Record<string, string> = {}) => {
      const browser = newBrowser(service);
      const callback = new URL(await hostile.signIn(await browser.begin('provider-a', query)));
      return await browser.get(callback.pathname + callback.search);
    };
    said = { ...person, sub: 'somebody else' };
    await expectRefused(await come(), 401, 'You are not signed in');
    said = { ...person, email_verified: false };
    await expectRefused(await come(), 403, 'Your e-mail address is not verified');
    said = person;
    const token = await invite(service, owner.org, person.email ?? '', 'viewer');
    expect((await come({ invite: token })).status).toBe(302);
  } finally {
    await service.stop();
    await hostile.stop();
    await closed(server);
  }
});

describe('asking a provider', () => {
  test('goes over https, except to this machine', async () => {
    for (const address of ['http://id.example.org/', 'http://10.0.0.1/', 'http://127.0.0.1.example.org/'])
      await expect(fetchFromProvider(address, {})).rejects.toThrow('over https only');
  });

  test('follows no redirect and reads no more than a mebibyte', async () => {
    const { server, url } = await listening(({ url: path }, response) => {
      if (path === '/redirect') response.writeHead(302, { location: '/target' }).end();
      else response.end(Buffer.alloc(Number(path?.slice(1))));
    });
    try {
      expect((await fetchFromProvider(`${url}/redirect`, {})).status).toBe(302);
      const whole = await fetchFromProvider(`${url}/${1024 * 1024}`, {});
      expect((await whole.arrayBuffer()).byteLength).toBe(1024 * 1024);
      await expect(fetchFromProvider(`${url}/${1024 * 1024 + 1}`, {})).rejects.toThrow('gave no answer');
    } finally {
      await closed(server);
    }
  });
});

test('demo people are linked to both providers, once, however many replicas start', async () => {
  const logins = await startLogins(undefined, { DEMO_PEOPLE: '1' });
  try {
    const linked = await links(inside(logins.service, SHARED_ORG)).find({});
    expect(linked).toHaveLength(6);
    expect(new Set(linked.map(({ member_org }) => member_org))).toEqual(new Set([DEMO_ORGANIZATION.id]));
  } finally {
    await logins.stop();
  }
});
