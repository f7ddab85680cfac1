import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEMO_PEOPLE } from '@muster/contracts';
import { startProvider, type TestProvider } from '../../testing/src/index.ts';
import { AFTER_LOGOUT, attempt, CALLBACK, redeem } from './code-flow.ts';

const ENTRA_PERSON = {
  sub: 'entra',
  name: 'Person of a tenant',
  email: 'person@tenant.invalid',
  tid: '11111111-1111-4111-8111-111111111111',
  oid: '22222222-2222-4222-8222-222222222222',
};
const UNVERIFIED = {
  sub: 'unverified',
  name: 'A <b>bold</b> name',
  email: 'x@demo.invalid',
  email_verified: false,
};

let provider: TestProvider;
let others: TestProvider;
beforeAll(async () => {
  const uris = { redirectUris: [CALLBACK], postLogoutRedirectUris: [AFTER_LOGOUT] };
  [provider, others] = await Promise.all([
    startProvider(uris),
    startProvider({ ...uris, name: 'Others & Co', people: [ENTRA_PERSON, UNVERIFIED] }),
  ]);
});
afterAll(() => Promise.all([provider?.stop(), others?.stop()]));

/** Claims of an ID token whose signature holds. */
async function claimsOf({ issuer }: TestProvider, idToken: unknown): Promise<Record<string, unknown>> {
  const [header = '', claims = '', signature = ''] = String(idToken).split('.');
  const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as { keys: { kid: string }[] };
  const { kid, alg } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const jwk = keys.find((candidate) => candidate.kid === kid);
  expect(alg).toBe('RS256');
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(
    true,
  );
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

async function signedIn(at: TestProvider, sub: string) {
  const begun = attempt(at);
  const { body } = await redeem(at, await at.signIn(begun.url, sub), begun);
  return { begun, claims: await claimsOf(at, body.id_token), idToken: String(body.id_token) };
}

test('the discovery document says what a client needs', async () => {
  const answer = await fetch(`${provider.issuer}/.well-known/openid-configuration`);
  expect(await answer.json()).toMatchObject({
    issuer: provider.issuer,
    authorization_endpoint: `${provider.issuer}/auth`,
    token_endpoint: `${provider.issuer}/token`,
    end_session_endpoint: `${provider.issuer}/session/end`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  });
});

describe('signing in', () => {
  test.each(DEMO_PEOPLE)(
    'as $sub: the ID token holds the e-mail and that it is verified',
    async ({ sub, name, email }) => {
      const { begun, claims } = await signedIn(provider, sub);
      expect(claims).toMatchObject({ sub, name, email, email_verified: true });
      expect(claims).toMatchObject({ iss: provider.issuer, aud: provider.clientId, nonce: begun.nonce });
    },
  );

  test('the callback carries code, state and the issuer', async () => {
    const begun = attempt(provider);
    const callback = new URL(await provider.signIn(begun.url, 'demo-viewer'));
    expect(`${callback.origin}${callback.pathname}`).toBe(CALLBACK);
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      code: expect.any(String),
      state: begun.state,
      iss: provider.issuer,
    });
  });

  test('tenant and object id are claims where a person has them; what they lack is none', async () => {
    const { claims } = await signedIn(others, 'entra');
    expect(claims).toMatchObject(ENTRA_PERSON);
    expect(claims).not.toHaveProperty('email_verified');
    expect((await signedIn(others, 'unverified')).claims).toMatchObject({ email_verified: false });
  });

  test('saying no comes back as access_denied', async () => {
    const begun = attempt(provider);
    const callback = new URL(await provider.cancel(begun.url));
    expect(callback.searchParams.get('error')).toBe('access_denied');
    expect(callback.searchParams.get('state')).toBe(begun.state);
  });

  test('someone who is not on the list cannot be chosen', async () => {
    await expect(provider.signIn(attempt(provider).url, 'nobody')).rejects.toThrow(
      'There is no such account',
    );
  });

  test('a browser that is signed in is not asked again, unless the client says so', async () => {
    const visitor = provider.newVisitor();
    const first = attempt(provider);
    await redeem(provider, await visitor.signIn(first.url, 'demo-owner'), first);
    const again = attempt(provider);
    const { body } = await redeem(provider, await visitor.signIn(again.url, 'demo-viewer'), again);
    expect(await claimsOf(provider, body.id_token)).toMatchObject({ sub: 'demo-owner' });
    const asked = attempt(provider, { prompt: 'login' });
    const other = await redeem(provider, await visitor.signIn(asked.url, 'demo-viewer'), asked);
    expect(await claimsOf(provider, other.body.id_token)).toMatchObject({ sub: 'demo-viewer' });
  });
});

describe('refused', () => {
  test.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'PKCE'],
    ['PKCE without a hash', { code_challenge_method: 'plain' }, 'code_challenge_method'],
    ['a prompt that it does not know', { prompt: 'dance' }, 'prompt'],
  ])('%s', async (_name, changes, reason) => {
    const callback = new URL(await provider.signIn(attempt(provider, changes).url, 'demo-owner'));
    expect(callback.searchParams.get('code')).toBeNull();
    expect(callback.searchParams.get('error_description')).toContain(reason);
  });

  test.each([
    ['a redirect to somewhere else', { redirect_uri: 'http://127.0.0.1:9/elsewhere' }, 'redirect_uri'],
    ['an unknown client', { client_id: 'another' }, 'client'],
  ])('%s, on a page of the provider', async (_name, changes, reason) => {
    await expect(provider.signIn(attempt(provider, changes).url, 'demo-owner')).rejects.toThrow(
      new RegExp(`answers 400: Test provider This did not work .*${reason}`),
    );
  });

  test('a code for the second time', async () => {
    const begun = attempt(provider);
    const callback = await provider.signIn(begun.url, 'demo-owner');
    expect(await redeem(provider, callback, begun)).toMatchObject({ status: 200 });
    expect(await redeem(provider, callback, begun)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test.each([
    ['a wrong client secret', { client_secret: 'wrong' }, { status: 401, body: { error: 'invalid_client' } }],
    [
      'a wrong verifier',
      { code_verifier: 'a'.repeat(43) },
      { status: 400, body: { error: 'invalid_grant' } },
    ],
    ['another redirect', { redirect_uri: AFTER_LOGOUT }, { status: 400, body: { error: 'invalid_grant' } }],
  ])('a code with %s', async (_name, changes, refusal) => {
    const begun = attempt(provider);
    const callback = await provider.signIn(begun.url, 'demo-owner');
    expect(await redeem(provider, callback, begun, changes)).toMatchObject(refusal);
  });

  test('a sign-in page that another browser began', async () => {
    const { headers } = await fetch(attempt(provider).url, { redirect: 'manual' });
    const page = await fetch(new URL(headers.get('location') ?? '', provider.issuer));
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('This sign-in cannot go on');
  });
});

test('signing out ends the session and leads back to the client', async () => {
  const visitor = provider.newVisitor();
  const begun = attempt(provider);
  const { body } = await redeem(provider, await visitor.signIn(begun.url, 'demo-owner'), begun);
  const end = new URL(`${provider.issuer}/session/end`);
  end.searchParams.set('id_token_hint', String(body.id_token));
  end.searchParams.set('post_logout_redirect_uri', AFTER_LOGOUT);
  end.searchParams.set('state', 'out');
  expect(await visitor.signOut(end)).toBe(`${AFTER_LOGOUT}?state=out`);
  const again = attempt(provider);
  const callback = await visitor.signIn(again.url, 'demo-viewer');
  const other = await redeem(provider, callback, again);
  expect(await claimsOf(provider, other.body.id_token)).toMatchObject({ sub: 'demo-viewer' });
  expect(await visitor.signOut(`${provider.issuer}/session/end`)).toBe(
    `${provider.issuer}/session/end/success`,
  );
});

test('the sign-in page names the provider and its people as plain text, and runs nothing but its own', async () => {
  const { headers } = await fetch(attempt(others).url, { redirect: 'manual' });
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const page = await fetch(new URL(headers.get('location') ?? '', others.issuer), { headers: { cookie } });
  const html = await page.text();
  expect(html).toContain('Others &amp; Co — these accounts exist on this machine only.');
  expect(html).toContain('A &lt;b&gt;bold&lt;/b&gt; name');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*script-src 'none'/);
});
