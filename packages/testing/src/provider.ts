import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { demoPeople, type Person, PROVIDER_PROGRAM } from '@muster/demo-provider';
import { freePort, spawnChild, whenReady } from '@muster/devstack';
import { newVisitor, type Visitor } from './visitor.ts';

const LOG_DIR = fileURLToPath(new URL('../../../.muster/log/', import.meta.url));
const READY_MS = 20_000;
const CLIENT_ID = 'muster';

export interface ProviderOptions {
  /** What its pages call it; `Test provider` unless given. */
  name?: string;
  /** The demo people unless given. */
  people?: Person[];
  /** Where it may send people with a code. */
  redirectUris: string[];
  /** Where it may send people after signing out. */
  postLogoutRedirectUris?: string[];
}

/** How a client knows a provider. */
export interface KnownProvider {
  issuer: string;
  name: string;
  clientId: string;
  clientSecret: string;
}

/** A running OpenID provider of a test's own. Its `signIn` and `cancel` are a new visitor's each time. */
export interface TestProvider extends KnownProvider, Pick<Visitor, 'signIn' | 'cancel'> {
  people: Person[];
  /** A browser that stays: it is remembered by the provider until it signs out. */
  newVisitor(): Visitor;
  stop(): Promise<void>;
}

/** The variables by which the product knows a provider as its login A or B. */
export function providerVariables(letter: 'A' | 'B', provider: KnownProvider): Record<string, string> {
  return {
    [`PROVIDER_${letter}_ISSUER`]: provider.issuer,
    [`PROVIDER_${letter}_NAME`]: provider.name,
    [`PROVIDER_${letter}_CLIENT_ID`]: provider.clientId,
    [`PROVIDER_${letter}_CLIENT_SECRET`]: provider.clientSecret,
  };
}

/** Starts the demo provider as a process of its own on a free port. Raises when it does not come up. */
export async function startProvider({
  name = 'Test provider',
  people = demoPeople,
  redirectUris,
  postLogoutRedirectUris = [],
}: ProviderOptions): Promise<TestProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const clientSecret = randomBytes(24).toString('base64url');
  const logFile = `${LOG_DIR}provider-${port}.log`;
  const child = spawnChild({
    name: 'provider',
    command: process.execPath,
    args: [PROVIDER_PROGRAM],
    env: {
      ...process.env,
      ISSUER: issuer,
      NAME: name,
      CLIENT_ID,
      CLIENT_SECRET: clientSecret,
      REDIRECT_URIS: redirectUris.join(','),
      POST_LOGOUT_REDIRECT_URIS: postLogoutRedirectUris.join(','),
      PEOPLE: JSON.stringify(people),
    },
    logFile,
  });
  await whenReady(child, () => fetchDiscovery(issuer), READY_MS, logFile);
  return {
    issuer,
    name,
    clientId: CLIENT_ID,
    clientSecret,
    people,
    newVisitor: () => newVisitor(issuer),
    signIn: (url, sub) => newVisitor(issuer).signIn(url, sub),
    cancel: (url) => newVisitor(issuer).cancel(url),
    stop: () => child.stop(),
  };
}

async function fetchDiscovery(issuer: string): Promise<void> {
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`${issuer} answers ${answer.status}`);
}
