import { type Ctx, trusted } from '@muster/service-kit';
import { type DomainDoc, domains } from './domain.model.ts';

const isProven = { proven_at: trusted({ $exists: true }) };

/** The organization that has proven a domain, or null: an unproven one admits nobody. @param domain in any case */
export async function organizationOfDomain(ctx: Ctx, domain: string): Promise<string | null> {
  const claim = await domains(ctx).findOne({ domain: domain.toLowerCase(), ...isProven });
  return claim?.organization_id ?? null;
}

/** What the organization claims, in the order of the alphabet. */
export async function claimedDomains(ctx: Ctx): Promise<DomainDoc[]> {
  return await domains(ctx).find({ organization_id: ctx.org }, { sort: { domain: 1 } });
}

/** The domains that the organization has proven. */
export async function provenDomains(ctx: Ctx): Promise<string[]> {
  return (await claimedDomains(ctx)).filter((claim) => claim.proven_at).map(({ domain }) => domain);
}
