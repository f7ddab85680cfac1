import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AccessStanding, DEFAULT_SETTINGS, identityApi, scopesOf } from '@muster/contracts';
import {
  baseVariables,
  DEMO_ORGANIZATION,
  DEMO_OWNER,
  TOKEN_ALGORITHM,
  type TokenClaims,
} from '@muster/service-kit';
import { v7 } from 'uuid';
import { encoded, es256, hs256, type Json, jws, unsigned } from './jws.ts';

/** Claims of a token as a test wants them: undefined leaves a claim out. */
export type TestClaims = { [Name in keyof TokenClaims]?: TokenClaims[Name] | undefined } & Json;

/** An issuer that tests command: a key, the JWKS that publishes it, and tokens with any claims. */
export interface TokenIssuer {
  /** For a service's JWKS_URL. */
  jwksUrl: string;
  kid: string;
  publicKey: KeyObject;
  /** A valid ES256 token of the demo organization's owner, unless the claims or the header say otherwise. */
  sign(claims?: TestClaims, header?: Json): string;
  /** What it answers, as identity does, to services that were told nothing of somebody yet. */
  standings: Standings;
  stop(): Promise<void>;
}

/** Everybody is an owner, and no organization has set anything, unless a test says otherwise. */
export interface Standings {
  of: Map<string, Partial<AccessStanding['access'] & { revoked: boolean; ip_allowlist: boolean }>>;
  /** The ids of those who were asked for. */
  asked: string[];
  away: boolean;
}

/** Starts an issuer on loopback; its tokens name the issuer and audience that services expect by default. */
export async function tokenIssuer(): Promise<TokenIssuer> {
  const { publicKey, privateKey } = p256();
  const kid = randomBytes(16).toString('base64url');
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: TOKEN_ALGORITHM };
  const standings: Standings = { of: new Map(), asked: [], away: false };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === identityApi.endpoints.readStanding.path)
      void standingFor(request, response, standings);
    else response.end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/.well-known/jwks.json`,
    kid,
    publicKey,
    standings,
    sign: (claims = {}, header = {}) =>
      jws({ alg: TOKEN_ALGORITHM, kid, ...header }, { ...validClaims(), ...claims }, es256(privateKey)),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function standingFor(
  request: IncomingMessage,
  response: ServerResponse,
  { of, asked, away }: Standings,
): Promise<void> {
  const { user_id: id } = JSON.parse(await text(request)) as { user_id: string };
  asked.push(id);
  if (away) return void response.writeHead(503).end();
  const { revoked = false, ip_allowlist = false, ...access } = of.get(id) ?? {};
  const { ai, security } = DEFAULT_SETTINGS;
  const facts = {
    ...DEFAULT_SETTINGS,
    ai: { ...ai, api_key: null },
    security: { ...security, ip_allowlist },
  };
  const told = { version: 0, role: 'owner', address: null, ...access };
  response.end(JSON.stringify({ access: told, settings: { version: 0, facts }, revoked }));
}

/** Tokens that every service must refuse with a 401, by what is wrong with them. */
export const FORGERIES: Readonly<Record<string, (issuer: TokenIssuer) => string>> = {
  'no algorithm': ({ kid }) => jws({ alg: 'none', kid }, validClaims(), unsigned),
  'no algorithm, in capitals': ({ kid }) => jws({ alg: 'NONE', kid }, validClaims(), unsigned),
  'HS256 with the public key as its secret': ({ kid, publicKey }) => {
    const pem = publicKey.export({ format: 'pem', type: 'spki' });
    return jws({ alg: 'HS256', kid }, validClaims(), hs256(pem));
  },
  'a header that names another algorithm': (issuer) => issuer.sign({}, { alg: 'RS256' }),
  'another issuer': (issuer) => issuer.sign({ iss: 'urn:example:other' }),
  'no issuer': (issuer) => issuer.sign({ iss: undefined }),
  'another audience': (issuer) => issuer.sign({ aud: 'urn:example:other' }),
  'no audience': (issuer) => issuer.sign({ aud: undefined }),
  expired: (issuer) => issuer.sign({ exp: seconds() - 1 }),
  'an end that no date can hold': (issuer) => issuer.sign({ exp: 1e300 }),
  'no end': (issuer) => issuer.sign({ exp: undefined }),
  'not yet valid': (issuer) => issuer.sign({ nbf: seconds() + 3600 }),
  'no organization': (issuer) => issuer.sign({ org: undefined }),
  'a role that does not exist': (issuer) => issuer.sign({ role: 'root' as never }),
  'an unknown key id': (issuer) => issuer.sign({}, { kid: 'unknown' }),
  'no key id': (issuer) => issuer.sign({}, { kid: undefined }),
  'a key id that is a path': (issuer) => issuer.sign({}, { kid: '../../../../dev/null' }),
  'another key under the known key id': ({ kid }) =>
    jws({ alg: TOKEN_ALGORITHM, kid }, validClaims(), es256(p256().privateKey)),
  'its own key in the header': () => {
    const { publicKey, privateKey } = p256();
    const header = { alg: TOKEN_ALGORITHM, kid: 'own', jwk: publicKey.export({ format: 'jwk' }) };
    return jws(header, validClaims(), es256(privateKey));
  },
  'claims edited after signing': (issuer) => {
    const [header, , signature] = issuer.sign({ role: 'viewer' }).split('.');
    return [header, encoded({ ...validClaims(), role: 'owner' }), signature].join('.');
  },
  'no signature': (issuer) => `${issuer.sign().split('.').slice(0, 2).join('.')}.`,
  'a shortened signature': (issuer) => issuer.sign().slice(0, -4),
  'a fourth part': (issuer) => `${issuer.sign()}.e30`,
  'no token at all': () => 'abc',
};

const HOUR_S = 3600;
const seconds = () => Math.floor(Date.now() / 1000);
const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

function validClaims(): Json {
  return {
    iss: baseVariables.TOKEN_ISSUER.parse(undefined),
    aud: baseVariables.TOKEN_AUDIENCE.parse(undefined),
    sub: DEMO_OWNER.id,
    jti: v7(),
    org: DEMO_ORGANIZATION.id,
    name: DEMO_OWNER.name,
    role: 'owner',
    scopes: scopesOf('owner'),
    kind: 'session',
    iat: seconds(),
    exp: seconds() + HOUR_S,
  };
}
