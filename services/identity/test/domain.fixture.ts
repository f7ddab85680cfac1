import type { DnsServer } from '@muster/testing';
import { checkDomains } from '../src/domains/check.service.ts';
import { recordOf } from '../src/domains/domain.rules.ts';
import { claimedDomains } from '../src/domains/domain.service.ts';
import { type Identity, inside } from './identity.fixture.ts';
import { set } from './login.fixture.ts';

/** Publishes the record of each domain that an organization claims. */
export async function publishRecords(service: Identity, dns: DnsServer, org: string): Promise<void> {
  for (const { domain, token } of await claimedDomains(inside(service, org))) {
    const { name, value } = recordOf(domain, token);
    dns.records.set(name, [...(dns.records.get(name) ?? []), value]);
  }
}

/** Lets an organization claim domains, and prove them. */
export async function proveDomains(
  service: Identity,
  dns: DnsServer,
  org: string,
  allowed_email_domains: string[],
): Promise<void> {
  await set(service, org, { security: { allowed_email_domains } });
  await publishRecords(service, dns, org);
  await checkDomains(inside(service, org));
}
