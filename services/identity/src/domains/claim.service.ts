import { randomBytes } from 'node:crypto';
import { type Ctx, invalid, trusted } from '@muster/service-kit';
import { v7 } from 'uuid';
import { domainCheck } from './domain.jobs.ts';
import { type DomainDoc, domains } from './domain.model.ts';
import { claimsOf, isPublicDomain } from './domain.rules.ts';
import { claimedDomains } from './domain.service.ts';

const CHECK_EVERY_MINUTES = 60;

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
    await ctx.schedule(domainCheck, {}, { id: domainCheck.kind, everyMinutes: CHECK_EVERY_MINUTES });
    await ctx.enqueue(domainCheck, {});
  } else if (wanted.length === 0 && drop.length > 0) await ctx.unschedule(domainCheck.kind);
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
