import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditApi, settingsApi } from '@muster/contracts';
import { type DnsServer, eventually, problemOf, startDns } from '@muster/testing';
import { v7 } from 'uuid';
import { checkDomains } from '../src/domains/check.service.ts';
import { domains } from '../src/domains/domain.model.ts';
import { organizationOfDomain } from '../src/domains/domain.service.ts';
import { publishRecords } from './domain.fixture.ts';
import {
  type Identity,
  inside,
  newMember,
  newOwner,
  type Person,
  sessionOf,
  startIdentity,
} from './identity.fixture.ts';

let dns: DnsServer;
let service: Identity;
beforeAll(async () => {
  dns = await startDns();
  service = await startIdentity({ DNS_SERVERS: dns.address });
});
afterAll(async () => {
  await service?.stop();
  await dns?.stop();
});

const DAY_MS = 86_400_000;
const newDomain = () => `${v7()}.example.org`;
const as = async (owner: Person) => service.client(settingsApi, await sessionOf(service, owner));
const claim = async (owner: Person, allowed_email_domains: string[]) =>
  (await (await as(owner)).updateSettings({ body: { security: { allowed_email_domains } } })).body.security;
const homeOf = (domain: string) => organizationOfDomain(inside(service, v7()), domain);
const check = async (owner: Person) => (await (await as(owner)).checkDomains()).body;
const stateOf = async (owner: Person) =>
  (await (await as(owner)).getSettings()).body.security.domains.map(({ state }) => state);
const publish = (owner: Person) => publishRecords(service, dns, owner.org);
/** The record is gone from DNS, and was last seen so long ago. */
async function missingFor(owner: Person, domain: string, days: number): Promise<void> {
  dns.records.delete(`_muster-challenge.${domain}`);
  await checkDomains(inside(service, owner.org));
  const missing_since = new Date(Date.now() - days * DAY_MS);
  await domains(inside(service, owner.org)).updateOne(
    { domain, organization_id: owner.org },
    { $set: { missing_since } },
  );
}

describe('a claimed domain', () => {
  test('admits nobody until its record is in DNS, which the settings show word for word', async () => {
    const owner = await newOwner(service);
    const domain = newDomain();
    const { domains: claims, allowed_email_domains } = await claim(owner, [domain.toUpperCase(), domain]);
    expect(allowed_email_domains).toEqual([domain]);
    expect(claims).toEqual([
      {
        domain,
        state: 'unproven',
        record: {
          type: 'TXT',
          name: `_muster-challenge.${domain}`,
          value: expect.stringMatching(/^muster-domain=[0-9a-f]{32}$/),
        },
        proven_at: null,
        missing_since: null,
        checked_at: null,
        detail: expect.stringContaining('add this record'),
      },
    ]);
    expect(await homeOf(domain)).toBeNull();
    const { name = '', value = '' } = claims[0]?.record ?? {};
    dns.records.set(name, ['v=spf1 -all', value]);
    const answer = await check(owner);
    expect('security' in answer && answer.security.domains).toMatchObject([
      { domain, state: 'proven', missing_since: null },
    ]);
    expect(await homeOf(domain)).toBe(owner.org);
    expect(await homeOf(domain.toUpperCase())).toBe(owner.org);
    expect(await homeOf(`mail.${domain}`)).toBeNull();
    expect(await homeOf(domain.slice(1))).toBeNull();
  });

  test('is checked by itself once it is claimed, and the audit log tells what became of it', async () => {
    const owner = await newOwner(service);
    const domain = newDomain();
    await claim(owner, [domain]);
    await eventually(() => expect(dns.asked).toContain(`_muster-challenge.${domain}`));
    const scheduled = service.runtime.connection.collection('schedules');
    expect(await scheduled.countDocuments({ org_id: owner.org, kind: 'check-domains' })).toBe(1);
    await publish(owner);
    await check(owner);
    const audit = service.client(auditApi, await sessionOf(service, owner));
    await eventually(async () => {
      const { items } = (await audit.listAudit({ query: { object: domain } })).body;
      expect(items.map(({ action }) => action)).toEqual(['domain.proven']);
    });
    await claim(owner, []);
    expect(await scheduled.countDocuments({ org_id: owner.org, kind: 'check-domains' })).toBe(0);
  });

  test('is not proven by what resembles the record, nor by another organization’s', async () => {
    const [one, other] = [await newOwner(service), await newOwner(service)];
    const domain = newDomain();
    const [{ record } = { record: { name: '', value: '' } }] = (await claim(one, [domain])).domains;
    await claim(other, [domain]);
    dns.records.set(record.name, [`${record.value}0`, record.value.slice(0, -1), 'muster-domain=']);
    await check(one);
    dns.records.set(domain, [record.value]);
    await check(one);
    dns.records.set(record.name, [record.value]);
    await check(other);
    expect([await stateOf(one), await stateOf(other), await homeOf(domain)]).toEqual([
      ['unproven'],
      ['unproven'],
      null,
    ]);
  });

  test('goes to the one of several that proves it, and to one only', async () => {
    const [one, other] = [await newOwner(service), await newOwner(service)];
    const domain = newDomain();
    await claim(one, [domain]);
    await claim(other, [domain]);
    await publish(other);
    await check(other);
    expect(await homeOf(domain)).toBe(other.org);
    await publish(one);
    await Promise.all([check(one), check(one)]);
    expect([await stateOf(one), await stateOf(other), await homeOf(domain)]).toEqual([
      ['unproven'],
      ['proven'],
      other.org,
    ]);
    await claim(other, []);
    expect(await homeOf(domain)).toBeNull();
    await check(one);
    expect(await homeOf(domain)).toBe(one.org);
  });

  test('of the public is refused', async () => {
    const owner = await newOwner(service);
    const { problem } = await problemOf(
      claim(owner, [newDomain(), 'gmail.com']).then(() => ({ status: 200 })),
    );
    expect(problem.errors).toMatchObject([
      { path: '/security/allowed_email_domains/1', code: 'public_domain' },
    ]);
  });

  test('is checked by admins, and what was read can be sent back', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.org, 'facilitator');
    expect((await problemOf((await as(member)).checkDomains())).status).toBe(403);
    await claim(owner, [newDomain()]);
    const client = await as(owner);
    const { body } = await client.getSettings();
    const { headers, body: after } = await client.updateSettings({ body });
    expect([after.version, after.security.allowed_email_domains]).toEqual([
      body.version,
      body.security.allowed_email_domains,
    ]);
    await publish(owner);
    await check(owner);
    const known = { 'If-None-Match': headers.get('etag') ?? '' };
    expect((await client.getSettings(undefined, { headers: known })).status).toBe(200);
  });
});

describe('a proven domain whose record is gone', () => {
  async function proven(): Promise<{ owner: Person; domain: string }> {
    const owner = await newOwner(service);
    const domain = newDomain();
    await claim(owner, [domain]);
    await publish(owner);
    await check(owner);
    return { owner, domain };
  }

  test('stays for a week and says so, then admits nobody; put back, it is proven again', async () => {
    const { owner, domain } = await proven();
    await missingFor(owner, domain, 6.9);
    await check(owner);
    expect([await stateOf(owner), await homeOf(domain)]).toEqual([['missing'], owner.org]);
    const [{ detail, missing_since } = { detail: '', missing_since: null }] = (
      await (await as(owner)).getSettings()
    ).body.security.domains;
    expect(detail).toContain('put it back before');
    expect(missing_since).not.toBeNull();
    await missingFor(owner, domain, 7.1);
    await check(owner);
    expect([await stateOf(owner), await homeOf(domain)]).toEqual([['unproven'], null]);
    await publish(owner);
    await check(owner);
    expect([await stateOf(owner), await homeOf(domain)]).toEqual([['proven'], owner.org]);
  });

  test('makes room at once for another organization that proves it', async () => {
    const { owner, domain } = await proven();
    await missingFor(owner, domain, 1);
    const other = await newOwner(service);
    await claim(other, [domain]);
    await publish(other);
    await check(other);
    expect([await stateOf(owner), await stateOf(other), await homeOf(domain)]).toEqual([
      ['unproven'],
      ['proven'],
      other.org,
    ]);
  });

  test('is not gone because a server does not answer', async () => {
    const { owner, domain } = await proven();
    dns.behaves = 'refuses';
    try {
      await check(owner);
    } finally {
      dns.behaves = 'honestly';
    }
    expect([await stateOf(owner), await homeOf(domain)]).toEqual([['proven'], owner.org]);
  });
});
