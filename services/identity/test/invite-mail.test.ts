import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { membersApi, settingsApi } from '@muster/contracts';
import { type DnsServer, eventually, problemOf, startDns } from '@muster/testing';
import { v7 } from 'uuid';
import { acceptInvite } from '../src/invites/invite.service.ts';
import { proveDomains } from './domain.fixture.ts';
import {
  everythingStored,
  type Identity,
  inside,
  newOwner,
  type Person,
  sessionOf,
  startIdentity,
} from './identity.fixture.ts';
import { set } from './login.fixture.ts';
import { type MailServer, type Received, startMailServer } from './mail.fixture.ts';

let mail: MailServer;
let service: Identity;
let dns: DnsServer;
/** How many mails the server still turns away. */
let refusing = 0;

beforeAll(async () => {
  mail = await startMailServer({
    onMailFrom(_address, _session, done) {
      if (refusing === 0) return done();
      refusing -= 1;
      done(Object.assign(new Error('try later'), { responseCode: 451 }));
    },
  });
  dns = await startDns();
  service = await startIdentity({
    SMTP_URL: mail.url,
    SMTP_FROM: 'muster@mail.example.org',
    DNS_SERVERS: dns.address,
  });
});
afterEach(() => {
  mail.received.length = 0;
});
afterAll(async () => {
  await service?.stop();
  await dns?.stop();
  await mail?.stop();
});

const as = async (person: Person) => service.client(membersApi, await sessionOf(service, person));
const newEmail = () => `${v7()}@example.com`;

/** The next mail to an address. */
async function mailTo(email: string): Promise<Received> {
  return await eventually(() => {
    const found = mail.received.find(({ to }) => to.includes(email));
    if (!found) throw new Error('no mail yet');
    return found;
  });
}
const linkIn = ({ text }: Received) => /https?:\/\/\S+\/auth\/invite\?token=[\w.-]+/.exec(text)?.[0] ?? '';

test('an invitation goes out by mail, and its link is nowhere else', async () => {
  const owner = await newOwner(service);
  const email = newEmail();
  const { body } = await (await as(owner)).inviteMember({
    body: { email, role: 'member', name: 'Žofie Nováková' },
  });
  expect(body.invite).not.toHaveProperty('url');
  const received = await mailTo(email);
  expect(received).toMatchObject({ from: 'muster@mail.example.org', to: [email] });
  expect(received.headers.subject).toEqual(['Join An organization on Muster']);
  expect(received.headers['message-id']?.[0]).toMatch(/^<invite\.[\w.-]+@mail\.example\.org>$/);
  expect(received.headers['auto-submitted']).toEqual(['auto-generated']);
  expect(received.text).toContain('Someone invites you to join An organization on Muster as member.');

  const token = new URL(linkIn(received)).searchParams.get('token') ?? '';
  expect(await everythingStored(service)).not.toContain(token.split('.')[1]);
  const { member } = await acceptInvite(inside(service, owner.org), token, { name: 'Ž', email });
  expect(member.status).toBe('active');
});

test('names that people chose make no header and no markup', async () => {
  const owner = await newOwner(service);
  const settings = service.client(settingsApi, await sessionOf(service, owner));
  const evil = 'Evil\r\nBcc: victim@example.org\r\n\r\n<script>alert(1)</script>';
  await settings.updateSettings({ body: { organization: { name: evil } } });
  const email = newEmail();
  await (await as(owner)).inviteMember({
    body: { email, role: 'viewer', name: `"x" <y@example.org>\nCc: ${evil}` },
  });
  const received = await mailTo(email);
  expect(received.to).toEqual([email]);
  expect(received.headers).not.toHaveProperty('bcc');
  expect(received.headers).not.toHaveProperty('cc');
  expect(received.headers.to).toHaveLength(1);
  expect(received.headers.subject).toHaveLength(1);
  expect(received.text).toContain('&lt;script&gt;');
  expect(received.text.split('text/html')[1]).not.toContain('<script>');
});

test('a mail server that is busy gets it again', async () => {
  const owner = await newOwner(service);
  const email = newEmail();
  refusing = 1;
  await (await as(owner)).inviteMember({ body: { email, role: 'viewer' } });
  await mailTo(email);
  expect(refusing).toBe(0);
});

test('an invitation that was renewed or taken back before the mail went out is not mailed', async () => {
  const owner = await newOwner(service);
  const client = await as(owner);
  const [renewed, takenBack] = [newEmail(), newEmail()];
  refusing = 2;
  const { body } = await client.inviteMember({ body: { email: takenBack, role: 'viewer' } });
  await client.inviteMember({ body: { email: renewed, role: 'viewer' } });
  await eventually(() => expect(refusing).toBe(0));
  await client.removeMember({ params: { id: body.id } });
  await client.inviteMember({ body: { email: renewed, role: 'viewer' } });
  await mailTo(renewed);
  await eventually(async () => {
    const waiting = { state: { $in: ['queued', 'running'] } };
    expect(await service.runtime.connection.collection('jobs').countDocuments(waiting)).toBe(0);
  }, 20_000);
  expect(mail.received.filter(({ to }) => to.includes(takenBack))).toEqual([]);
  expect(mail.received.filter(({ to }) => to.includes(renewed))).toHaveLength(1);
});

describe('the sender', () => {
  const name = async (owner: Person, smtp_from: string) => {
    const settings = service.client(settingsApi, await sessionOf(service, owner));
    await settings.updateSettings({ body: { notifications: { smtp_from } } });
  };
  const invited = async (owner: Person) => {
    const email = newEmail();
    await (await as(owner)).inviteMember({ body: { email, role: 'viewer' } });
    return await mailTo(email);
  };

  test('is whom the settings name, of a domain that is proven', async () => {
    const owner = await newOwner(service);
    await proveDomains(service, dns, owner.org, ['hospital.example.org']);
    await name(owner, 'security@hospital.example.org');
    const { from, headers } = await invited(owner);
    expect(from).toBe('security@hospital.example.org');
    expect(headers.from).toEqual(['Muster <security@hospital.example.org>']);
    expect(headers['message-id']?.[0]).toMatch(/@hospital\.example\.org>$/);
    await set(service, owner.org, { security: { allowed_email_domains: [] } });
    expect((await invited(owner)).from).toBe('muster@mail.example.org');
  });

  test('may be of the domain that the deployment mails from', async () => {
    const owner = await newOwner(service);
    await name(owner, 'hospital@mail.example.org');
    expect((await invited(owner)).from).toBe('hospital@mail.example.org');
  });

  test('is nobody else: not of a foreign, a merely claimed or a lookalike domain', async () => {
    const owner = await newOwner(service);
    await set(service, owner.org, { security: { allowed_email_domains: ['claimed.example.org'] } });
    for (const domain of [
      'victim.example',
      'claimed.example.org',
      'evilmail.example.org',
      'a.mail.example.org',
    ]) {
      const { status, problem } = await problemOf(name(owner, `ceo@${domain}`).then(() => ({ status: 200 })));
      expect([status, problem.errors?.[0]]).toEqual([
        422,
        expect.objectContaining({ path: '/notifications/smtp_from', code: 'foreign_domain' }),
      ]);
    }
  });
});
