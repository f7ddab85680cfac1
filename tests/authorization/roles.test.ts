import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROLES, type Role, roleAllows, SCOPE_NAMES } from '@muster/contracts';
import { FORGERIES, type Product, startProduct, type TokenIssuer, tokenIssuer } from '@muster/testing';
import { call, ENDPOINTS } from './calls.ts';
import { newOrganization, type Organization } from './people.ts';

// Generated from the contracts: what is declared is what is enforced, at every endpoint, through the gateway.

let issuer: TokenIssuer;
let product: Product;
let organization: Organization;
beforeAll(async () => {
  issuer = await tokenIssuer();
  product = await startProduct('roles', { JWKS_URL: issuer.jwksUrl });
  organization = await newOrganization(product, issuer);
}, 120_000);
afterAll(async () => {
  await product?.stop();
  await issuer?.stop();
});

const closed = ENDPOINTS.flatMap(({ name, service, endpoint }) =>
  endpoint.role === 'public' ? [] : [{ name, service, endpoint, needed: endpoint.role }],
);

describe.each(ROLES)('a %s', (role: Role) => {
  test.each(closed)('at $name ($needed)', async ({ endpoint, needed }) => {
    const { status, problem } = await call(product.url, endpoint, organization.token(role));
    const allowed = roleAllows(role, needed);
    if (allowed) {
      expect(problem).not.toBe('forbidden');
      expect([401, 403, 405, 500, 502]).not.toContain(status);
    } else {
      expect([status, problem]).toEqual([403, 'forbidden']);
    }
  });
});

test.each(closed.filter(({ endpoint }) => endpoint.scope))(
  'an API token of the owner without its scope stays out of $name',
  async ({ endpoint }) => {
    const scopes = SCOPE_NAMES.filter((scope) => scope !== endpoint.scope);
    const token = organization.token('owner', { kind: 'api_token', scopes });
    expect(await call(product.url, endpoint, token)).toEqual({ status: 403, problem: 'forbidden' });
  },
);

const oneOfEach = [...new Map(closed.map((one) => [one.service, one])).values()];
describe.each(oneOfEach)('$service', ({ endpoint }) => {
  test.each(Object.entries(FORGERIES))('refuses a token with %s', async (_name, forge) => {
    expect((await call(product.url, endpoint, forge(issuer))).status).toBe(401);
  });
});
