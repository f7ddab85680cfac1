import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessChanged, identityApi, memberChanged, type Role } from '@muster/contracts';
import { SHARED_ORG, trusted } from '@muster/service-kit';
import { type DnsServer, eventually, startDns } from '@muster/testing';
import { linkId, links } from '../src/links/link.model.ts';
import { members } from '../src/members/member.model.ts';
import { advance, membershipOf } from '../src/members/member.service.ts';
import { removeMember } from '../src/members/removal.service.ts';
import { users } from '../src/users/user.model.ts';
import { proveDomains } from './domain.fixture.ts';
import { emitted, inside, newOwner, type Person as Owner } from './identity.fixture.ts';
import {
  expectRefused,
  invite,
  type Logins,
  newBrowser,
  newPerson,
  sessionCookie,
  signIn,
  startLogins,
  tokenOf,
} from './login.fixture.ts';

const invited = newPerson({ email: 'Invited@Example.org', name: 'Somebody invited' });
const stranger = newPerson();
const unverified = newPerson({ email_verified: false });
const unsaid = newPerson({ email_verified: undefined });
const nameless = newPerson({ email: undefined });
const colleague = newPerson();
const twice = newPerson({ email: 'twice@quick.example.org' });
const impostor = newPerson({ email: invited.email });
const neighbour = newPerson({ email: 'neighbour@sub.colleagues.example.org' });
const people = [invited, stranger, unverified, unsaid, nameless, colleague, twice, impostor, neighbour];
const emailOf = ({ email = '' }: { email?: string | undefined }) => email.toLowerCase();
const domainOf = (person: { email?: string | undefined }) => emailOf(person).split('@')[1] ?? '';

let logins: Logins;
let owner: Owner;
let dns: DnsServer;
const allow = (domains: string[]) => proveDomains(logins.service, dns, owner.org, domains);

beforeAll(async () => {
  dns = await startDns();
  logins = await startLogins(people, { DNS_SERVERS: dns.address });
  owner = await newOwner(logins.service);
  const ours = [unverified, unsaid, colleague, twice].map(domainOf);
  await allow([...ours, 'colleagues.example.org']);
});
afterAll(async () => {
  await logins?.stop();
  await dns?.stop();
});

const ctx = (org = owner.org) => inside(logins.service, org);
/** Every service, identity too, hears a moment later that someone has come, or is back. */
const whoIs = (cookie: string) =>
  eventually(
    async () =>
      (await logins.service.client(identityApi, await tokenOf(logins.service, cookie)).getMe()).body,
  );
const invitation = (email: string, role: Role = 'member', org = owner.org) =>
  invite(logins.service, org, email, role);

describe('someone new', () => {
  test('with neither invitation nor allowed domain belongs nowhere, and nothing is kept of them', async () => {
    const { answer } = await signIn(logins, stranger.sub);
    await expectRefused(answer, 403, 'You do not belong to an organization here yet');
    const id = linkId({ issuer: `${logins.real.issuer}/`, subject: stranger.sub });
    expect(await links(ctx(SHARED_ORG)).findOne({ _id: id })).toBeNull();
    expect(await users(ctx()).count({ email: emailOf(stranger) })).toBe(0);
  });

  test('of an allowed domain joins as a viewer, and everyone is told', async () => {
    const { browser } = await signIn(logins, colleague.sub);
    const me = await whoIs(sessionCookie(browser));
    expect(me).toMatchObject({
      user: { email: emailOf(colleague) },
      organization: { id: owner.org },
      role: 'viewer',
    });
    const { member } = (await membershipOf(ctx(), emailOf(colleague))) ?? {};
    expect(await emitted(logins.service, memberChanged.type, member?._id ?? '')).toHaveLength(1);
    expect(await emitted(logins.service, accessChanged.type, me.user.id)).toMatchObject([
      { data: { role: 'viewer' } },
    ]);
  });

  test('of a domain below an allowed one does not join', async () => {
    const { answer } = await signIn(logins, neighbour.sub);
    await expectRefused(answer, 403, 'You do not belong to an organization here yet');
  });

  test.each([
    ['is not verified', unverified, 'Your e-mail address is not verified'],
    ['is not said to be verified', unsaid, 'Your e-mail address is not verified'],
    ['is not named', nameless, 'Your account has no e-mail address'],
  ])('whose e-mail address %s does not join', async (_what, person, title) => {
    const { answer } = await signIn(logins, person.sub);
    await expectRefused(answer, 403, title);
    expect(await users(ctx()).count({ email: emailOf(person) })).toBe(0);
  });

  test('who comes twice at once becomes one person', async () => {
    const browsers = [1, 2, 3].map(() => newBrowser(logins.service));
    const callbacks: string[] = [];
    for (const browser of browsers)
      callbacks.push(await logins.real.signIn(await browser.begin('provider-a'), twice.sub));
    const answers = await Promise.all(browsers.map((browser, n) => browser.get(callbacks[n] ?? '')));
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302]);
    expect(await users(ctx()).count({ email: emailOf(twice) })).toBe(1);
    const ids = await Promise.all(
      browsers.map(async (browser) => (await whoIs(sessionCookie(browser))).user.id),
    );
    expect(new Set(ids).size).toBe(1);
  });
});

describe('an invitation', () => {
  test('is a page that leads to the logins, and is worth nothing when it is made up', async () => {
    const browser = newBrowser(logins.service);
    const token = await invitation('paged@example.org');
    const page = await browser.get(`/auth/invite?token=${token}`);
    const text = await page.text();
    expect(page.status).toBe(200);
    for (const shown of ['An organization', 'paged@example.org', `/auth/provider-a/login?invite=${token}`])
      expect(text).toContain(shown);
    for (const other of [token.replace(/.$/, '_'), `${token}a`, 'x', `${owner.org}.x`])
      await expectRefused(
        await browser.get(`/auth/invite?token=${other}`),
        403,
        'This invitation cannot be used',
      );
  });

  test('lets in the one it was sent to, once, with its role', async () => {
    const token = await invitation(emailOf(invited), 'facilitator');
    const wrong = await signIn(logins, stranger.sub, { invite: token });
    await expectRefused(wrong.answer, 403, 'This invitation cannot be used');

    const { answer, browser } = await signIn(logins, invited.sub, { invite: token, return_to: '/start' });
    expect({ status: answer.status, to: answer.headers.get('location') }).toEqual({
      status: 302,
      to: '/start',
    });
    const me = await whoIs(sessionCookie(browser));
    expect(me).toMatchObject({ user: { name: invited.name, email: emailOf(invited) }, role: 'facilitator' });

    const reused = await signIn(logins, impostor.sub, { invite: token });
    await expectRefused(reused.answer, 403, 'This invitation cannot be used');
  });

  test('is not needed a second time: the account is known by then', async () => {
    const { browser } = await signIn(logins, invited.sub);
    expect(await whoIs(sessionCookie(browser))).toMatchObject({ role: 'facilitator' });
  });

  test('that is no token at all is refused before anyone is sent to a provider', async () => {
    const answer = await newBrowser(logins.service).get('/auth/provider-a/login?invite=abc');
    await expectRefused(answer, 403, 'This invitation cannot be used');
  });

  test('to another organization takes nobody out of their own', async () => {
    const other = await newOwner(logins.service);
    const token = await invitation(emailOf(invited), 'viewer', other.org);
    const { answer } = await signIn(logins, invited.sub, { invite: token });
    await expectRefused(answer, 403, 'You belong to another organization already');
  });
});

describe('someone who is there already', () => {
  test('is not whoever comes with the same address from elsewhere', async () => {
    await allow(['example.org']);
    const { answer } = await signIn(logins, impostor.sub);
    await expectRefused(answer, 403, 'This e-mail address belongs to another sign-in');
    expect(await links(ctx(SHARED_ORG)).count({ member_org: owner.org })).toBe(3);
  });

  test('and suspended is told so, and comes back when they are restored', async () => {
    await standing('suspended');
    await expectRefused((await signIn(logins, colleague.sub)).answer, 403, 'Your access is suspended');
    await standing('active');
    expect((await signIn(logins, colleague.sub)).answer.status).toBe(302);
  });

  test('and removed comes back by an invitation only, whatever their domain', async () => {
    await allow([domainOf(colleague)]);
    const found = await membershipOf(ctx(), emailOf(colleague));
    await ctx().inTransaction((within) => removeMember(within, found?.member._id ?? '', () => undefined));
    await expectRefused((await signIn(logins, colleague.sub)).answer, 403, 'You are not a member any more');
    const token = await invitation(emailOf(colleague), 'admin');
    const { browser } = await signIn(logins, colleague.sub, { invite: token });
    const me = await whoIs(sessionCookie(browser));
    expect(me).toMatchObject({ user: { id: found?.user._id }, role: 'admin' });
  });
});

async function standing(status: 'active' | 'suspended'): Promise<void> {
  await ctx().inTransaction(async (within) => {
    const found = await membershipOf(within, emailOf(colleague));
    if (found) await advance(within, found, { status });
  });
}

test('every link belongs to a user who is there', async () => {
  for (const { user_id } of await links(ctx(SHARED_ORG)).find({ member_org: owner.org })) {
    expect(await users(ctx()).findOne({ _id: user_id })).not.toBeNull();
    expect(await members(ctx()).count({ user_id, status: trusted({ $ne: 'invited' }) })).toBe(1);
  }
});
