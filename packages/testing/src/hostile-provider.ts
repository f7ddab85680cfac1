import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { demoPeople, type Person } from '@muster/demo-provider';
import { encoded, hs256, type Json, jws, rs256, unsigned } from './jws.ts';
import type { Misbehaviour } from './misbehaviours.ts';
import type { KnownProvider } from './provider.ts';
import { newVisitor } from './visitor.ts';

/** An OpenID provider that tests command. It asks nobody and signs in its one person at once. */
export interface HostileProvider extends KnownProvider {
  /** From now on it misbehaves like this; without an argument, it does not. */
  behave(misbehaviour?: Misbehaviour): void;
  /** The callback, not requested yet, to which it redirects a browser that comes with this address. */
  signIn(authorizationUrl: string | URL): Promise<string>;
  stop(): Promise<void>;
}

interface Keys {
  privateKey: KeyObject;
  publicKey: KeyObject;
  foreignKey: KeyObject;
}

const KID = 'hostile';

/**
 * Starts a provider on loopback, in this process. It checks neither client secret nor verifier: who it hurts is the
 * client.
 * @param person whom it signs in, the demo owner unless given
 */
export async function startHostileProvider(
  first: Misbehaviour = {},
  person: Person | undefined = demoPeople[0],
): Promise<HostileProvider> {
  const { privateKey, publicKey } = rsa();
  const keys: Keys = { privateKey, publicKey, foreignKey: rsa().privateKey };
  const known = {
    issuer: '',
    name: 'Hostile',
    clientId: 'muster',
    clientSecret: randomBytes(24).toString('hex'),
  };
  let misbehaviour = first;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', known.issuer);
    if (pathname === '/authorize') return redirect(response, known, searchParams, misbehaviour);
    if (pathname === '/token') return void answerToken(request, response, known, keys, person, misbehaviour);
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: KID, use: 'sig', alg: 'RS256' };
    sendJson(response, pathname === '/jwks' ? { keys: [jwk] } : discovery(known.issuer, misbehaviour));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  known.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...known,
    behave(next = {}) {
      misbehaviour = next;
    },
    signIn: (url) => newVisitor(known.issuer).signIn(url, ''),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

function discovery(issuer: string, misbehaviour: Misbehaviour): Json {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: true,
    ...misbehaviour.discovery,
  };
}

/** The code carries the nonce, so that nothing need be remembered. */
function redirect(
  response: ServerResponse,
  { issuer }: KnownProvider,
  asked: URLSearchParams,
  misbehaviour: Misbehaviour,
): void {
  const callback = new URL(asked.get('redirect_uri') ?? '');
  const code = encoded({ nonce: asked.get('nonce') });
  const given = { code, state: asked.get('state') ?? undefined, iss: issuer, ...misbehaviour.callback };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) callback.searchParams.set(name, value);
  }
  response.writeHead(302, { location: callback.href }).end();
}

async function answerToken(
  request: IncomingMessage,
  response: ServerResponse,
  known: KnownProvider,
  keys: Keys,
  person: Person | undefined,
  misbehaviour: Misbehaviour,
): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (misbehaviour.token === 'nothing') return void response.destroy();
  if (misbehaviour.token === 'html')
    return void response.setHeader('content-type', 'text/html').end('<p>No</p>');
  if (misbehaviour.token === 'error') return sendJson(response, { error: 'invalid_grant' }, 400);
  const code = new URLSearchParams(body).get('code') ?? '';
  const { nonce } = JSON.parse(Buffer.from(code, 'base64url').toString());
  const now = Math.floor(Date.now() / 1000);
  const standard = { iss: known.issuer, aud: known.clientId, iat: now, exp: now + 300, nonce };
  const claims = { ...standard, ...person, ...misbehaviour.claims };
  const tokens = { access_token: randomBytes(16).toString('hex'), token_type: 'Bearer', expires_in: 300 };
  sendJson(response, { ...tokens, id_token: idToken(claims, known, keys, misbehaviour) });
}

function idToken(claims: Json, { clientSecret }: KnownProvider, keys: Keys, { idToken: how }: Misbehaviour) {
  const honest = jws({ alg: 'RS256', kid: KID }, claims, rs256(keys.privateKey));
  const [header, , signature] = honest.split('.');
  switch (how) {
    case 'none':
      return undefined;
    case 'unsigned':
      return jws({ alg: 'none', kid: KID }, claims, unsigned);
    case 'client-secret':
      return jws({ alg: 'HS256', kid: KID }, claims, hs256(clientSecret));
    case 'public-key':
      return jws(
        { alg: 'HS256', kid: KID },
        claims,
        hs256(keys.publicKey.export({ format: 'pem', type: 'spki' })),
      );
    case 'foreign-key':
      return jws({ alg: 'RS256', kid: KID }, claims, rs256(keys.foreignKey));
    case 'edited':
      return [header, encoded({ ...claims, name: 'Someone else' }), signature].join('.');
    default:
      return honest;
  }
}

function sendJson(response: ServerResponse, body: Json, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
