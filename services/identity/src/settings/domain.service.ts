import { type Ctx, invalid, isDuplicateKey, trusted } from '@muster/service-kit';
import { domains } from './domain.model.ts';
import { claimsOf, isPublicDomain } from './domain.rules.ts';

/** The organization that people with an address of this domain belong to, or null. @param domain in any case */
export async function organizationOfDomain(ctx: Ctx, domain: string): Promise<string | null> {
  const claim = await domains(ctx).findOne({ _id: domain.toLowerCase() });
  return claim?.organization_id ?? null;
}

/**
 * Makes the given domains, and no others, the organization's. Needs a transaction. Raises a 422 that names each domain
 * that is another organization's, or everybody's.
 */
export async function claimDomains(ctx: Ctx, wanted: readonly string[]): Promise<void> {
  const held = await domains(ctx).find({ organization_id: ctx.org });
  const ids = held.map(({ _id }) => _id);
  const { add, drop } = claimsOf(ids, wanted);
  const taken = await domains(ctx).find({ _id: trusted({ $in: add }) });
  const refused = add.flatMap((domain) => {
    if (isPublicDomain(domain)) return [refusal(wanted, domain, 'public_domain')];
    return taken.some(({ _id }) => _id === domain) ? [refusal(wanted, domain, 'domain_taken')] : [];
  });
  if (refused.length > 0) throw invalid(refused);
  if (drop.length > 0)
    await domains(ctx).deleteMany({ _id: trusted({ $in: drop }), organization_id: ctx.org });
  for (const domain of add) await claim(ctx, wanted, domain);
}

async function claim(ctx: Ctx, wanted: readonly string[], domain: string): Promise<void> {
  try {
    await domains(ctx).insert({ _id: domain, organization_id: ctx.org, claimed_at: new Date() });
  } catch (error) {
    if (isDuplicateKey(error)) throw invalid([refusal(wanted, domain, 'domain_taken')]);
    throw error;
  }
}

const REASONS = {
  public_domain: "can be anybody's: invite its people one by one",
  domain_taken: 'belongs to another organization here',
} as const;

function refusal(wanted: readonly string[], domain: string, code: keyof typeof REASONS) {
  const path = `/security/allowed_email_domains/${wanted.indexOf(domain)}`;
  return { path, code, message: `${domain} ${REASONS[code]}.`, in: 'body' };
}
