import { randomBytes } from 'node:crypto';
import { type Ctx, invalid, trusted } from '@muster/service-kit';
import { v7 } from 'uuid';
import { type DomainDoc, domains } from './domain.model.ts';
import { claimsOf, isPublicDomain } from './domain.rules.ts';

/** The kind of job that looks for the records of an organization's domains, and the name of its schedule. */
export const DOMAIN_CHECK = 'check-domains';
const CHECK_EVERY_MINUTES = 60;

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

/**
 * Makes the given domains, and no others, the organization's claims, and has them checked now and every hour. Needs a
 * transaction. Raises a 422 that names each domain that is everybody's.
 */
export async function claimDomains(ctx: Ctx, wanted: readonly string[]): Promise<void> {
  const refused = wanted.flatMap((domain, index) => (isPublicDomain(domain) ? [refusal(domain, index)] : []));
  if (refused.length > 0) throw invalid(refused);
  const held = (await claimedDomains(ctx)).map(({ domain }) => domain);
  const { add, drop } = claimsOf(held, wanted);
  if (drop.length > 0)
    await domains(ctx).deleteMany({ domain: trusted({ $in: drop }), organization_id: ctx.org });
  await domains(ctx).insertMany(add.map((domain) => newClaim(ctx.org, domain)));
  if (add.length > 0) {
    await ctx.schedule(DOMAIN_CHECK, {}, { id: DOMAIN_CHECK, everyMinutes: CHECK_EVERY_MINUTES });
    await ctx.enqueue(DOMAIN_CHECK, {});
  } else if (wanted.length === 0 && drop.length > 0) await ctx.unschedule(DOMAIN_CHECK);
}

const newClaim = (organization_id: string, domain: string): Omit<DomainDoc, 'org_id'> => ({
  _id: v7(),
  domain,
  organization_id,
  claimed_at: new Date(),
  token: randomBytes(16).toString('hex'),
  missing_since: null,
  checked_at: null,
});

function refusal(domain: string, index: number) {
  const path = `/security/allowed_email_domains/${index}`;
  const message = `${domain} can be anybody's: invite its people one by one.`;
  return { path, code: 'public_domain', message, in: 'body' };
}
