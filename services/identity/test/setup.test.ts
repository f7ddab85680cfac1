import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { identityApi } from '@muster/contracts';
import { freePort } from '@muster/devstack';
import { DEMO_ORGANIZATION, SHARED_ORG } from '@muster/service-kit';
import { eventually } from '@muster/testing';
import { organizationIds } from '../src/organizations/organization.service.ts';
import { SETUP_ID, setups } from '../src/setup/setup.model.ts';
import { newSetupToken } from '../src/setup/setup.service.ts';
import { everythingStored, inside, startReplica } from './identity.fixture.ts';
import {
  expectRefused,
  type Logins,
  newBrowser,
  newPerson,
  sessionCookie,
  signIn,
  startLogins,
  tokenOf,
} from './login.fixture.ts';

const TITLE = 'This setup link cannot be used';
const first = newPerson({ email: 'Head.of.IT@hospital.example.org' });
const second = newPerson();
const unverified = newPerson({ email_verified: false });

let logins: Logins;

beforeAll(async () => {
  logins = await startLogins([first, second, unverified]);
});
afterAll(async () => {
  await logins?.stop();
});

const shared = () => inside(logins.service, SHARED_ORG);
const setupPage = (token: string) => newBrowser(logins.service).get(`/auth/setup?token=${token}`);
async function newToken(): Promise<string> {
  const token = await newSetupToken(shared());
  if (token === null) throw new Error('There is an organization already');
  return token;
}

describe('the setup link', () => {
  test('is a page that leads to the logins', async () => {
    const token = await newToken();
    const page = await setupPage(token);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`href="/auth/provider-a/login?setup=${token}"`);
    expect(await everythingStored(logins.service)).not.toContain(token);
  });

  test('is replaced by the next one, and ends after a day', async () => {
    const old = await newToken();
    const token = await newToken();
    await expectRefused(await setupPage(old), 403, TITLE);
    await expectRefused((await signIn(logins, first.sub, { setup: old })).answer, 403, TITLE);
    await setups(shared()).updateOne({ _id: SETUP_ID }, { $set: { expires_at: new Date(Date.now() - 1) } });
    await expectRefused(await setupPage(token), 403, TITLE);
    await expectRefused((await signIn(logins, first.sub, { setup: token })).answer, 403, TITLE);
  });

  test('makes nobody an owner whose e-mail address is not verified, and is not used up by them', async () => {
    const token = await newToken();
    const { answer } = await signIn(logins, unverified.sub, { setup: token });
    await expectRefused(answer, 403, 'Your e-mail address is not verified');
    expect((await setupPage(token)).status).toBe(200);
  });

  test('founds one organization, with whoever comes first as its owner', async () => {
    const token = await newToken();
    const comers = await Promise.all(
      [first, second].map(async ({ sub }) => {
        const browser = newBrowser(logins.service);
        const callback = await logins.real.signIn(await browser.begin('provider-a', { setup: token }), sub);
        return { browser, callback };
      }),
    );
    const answers = await Promise.all(comers.map(({ browser, callback }) => browser.get(callback)));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 403]);
    const winner = comers[answers.findIndex(({ status }) => status === 302)];
    if (!winner) throw new Error('Nobody came in');
    const client = logins.service.client(
      identityApi,
      await tokenOf(logins.service, sessionCookie(winner.browser)),
    );
    const { body } = await client.getMe();
    expect(body).toMatchObject({ role: 'owner', organization: { name: body.user.email.split('@')[1] } });
    expect(await organizationIds(shared())).toEqual([DEMO_ORGANIZATION.id, body.organization.id].toSorted());
  });

  test('is not made any more after that', async () => {
    expect(await newSetupToken(shared())).toBeNull();
  });
});

describe('a production start', () => {
  const VARIABLES = {
    MUSTER_MODE: 'production',
    PUBLIC_ORIGIN: 'https://muster.example.org',
    LOG_LEVEL: 'warn',
  };
  const NO_PROVIDERS = {
    PROVIDER_A_ISSUER: '',
    PROVIDER_A_CLIENT_ID: '',
    PROVIDER_B_ISSUER: '',
    PROVIDER_B_CLIENT_ID: '',
  };

  /** Runs identity as a process, as in production, and answers what it logged until it was ready. */
  async function started(database: string): Promise<string> {
    const SERVICE_PORT = String(await freePort());
    const env = { ...logins.service.env, ...NO_PROVIDERS, ...VARIABLES, SERVICE_PORT, MONGODB_DB: database };
    const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    const child = spawn(process.execPath, [program], { env });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    const closed = once(child, 'close');
    try {
      await eventually(
        async () => expect((await fetch(`http://127.0.0.1:${SERVICE_PORT}/ready`)).status).toBe(200),
        30_000,
      );
      const [, token] = /https:\/\/muster\.example\.org\/auth\/setup\?token=([\w-]{43})/.exec(output) ?? [];
      if (token !== undefined) {
        const page = await fetch(`http://127.0.0.1:${SERVICE_PORT}/auth/setup?token=${token}`);
        expect(page.status).toBe(200);
      }
    } finally {
      child.kill('SIGTERM');
      await closed;
    }
    return output;
  }

  test('tells the link while there is no organization, a new one each time, and not once there is one', async () => {
    const database = `${logins.service.env.MONGODB_DB}_production`;
    const links = [await started(database), await started(database)].map(
      (output) => /https:\/\/muster\.example\.org\/auth\/setup\?token=[\w-]{43}/.exec(output)?.[0],
    );
    expect(links[0]).toBeDefined();
    expect(links[1]).toBeDefined();
    expect(links[1]).not.toBe(links[0]);
    const founded = await started(logins.service.env.MONGODB_DB ?? '');
    expect(founded).not.toContain('/auth/setup');
    expect(founded).toContain('Nobody can sign in: set PROVIDER_A_ISSUER');
    const client = logins.service.runtime.connection.getClient();
    await client.db(database).dropDatabase();
  }, 60_000);

  test.each([
    ['PUBLIC_ORIGIN', { PUBLIC_ORIGIN: 'http://muster.example.org' }],
    ['DEMO_PEOPLE', { DEMO_PEOPLE: '1' }],
    ['PROVIDER_A_ISSUER', { PROVIDER_A_ISSUER: 'http://127.0.0.1:9', PROVIDER_A_CLIENT_ID: 'muster' }],
  ])('is refused with a bad %s', async (name, variables) => {
    const env = { ...NO_PROVIDERS, ...VARIABLES, ...variables };
    await expect(startReplica(logins.service, env)).rejects.toThrow(`${name} (`);
  });
});
