import { Resolver } from 'node:dns/promises';
import { identityChangeRecorded } from '@muster/contracts';
import { type Ctx, isDuplicateKey, recordChange, trusted } from '@muster/service-kit';
import { config } from '../config.ts';
import { renewSettings } from '../settings/settings.service.ts';
import { type DomainDoc, domains } from './domain.model.ts';
import { type Finding, type Proof, proofAfter, recordOf, stateOf } from './domain.rules.ts';
import { claimedDomains } from './domain.service.ts';

const QUERY = { timeout: 2_000, tries: 2 };
/** What DNS says of a name without such a record: everything else is no answer. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/** Looks for the record of each domain that the organization claims, and keeps what it found. */
export async function checkDomains(ctx: Ctx): Promise<void> {
  for (const claim of await claimedDomains(ctx)) {
    const finding = await look(ctx, claim);
    await ctx.inTransaction((inside) => settle(inside, claim._id, finding)).catch(refuseOthers);
  }
}

async function look(ctx: Ctx, { domain, token }: DomainDoc): Promise<Finding> {
  const resolver = new Resolver(QUERY);
  const { DNS_SERVERS } = config(ctx);
  if (DNS_SERVERS.length > 0) resolver.setServers(DNS_SERVERS);
  const { name, value } = recordOf(domain, token);
  try {
    const records = await resolver.resolveTxt(name);
    return records.some((parts) => parts.join('').trim() === value) ? 'found' : 'absent';
  } catch (error) {
    return ABSENT.has((error as NodeJS.ErrnoException).code ?? '') ? 'absent' : 'unanswered';
  }
}

async function settle(ctx: Ctx, id: string, finding: Finding): Promise<void> {
  const claim = await domains(ctx).findOne({ _id: id });
  // Given up meanwhile.
  if (!claim) return;
  const now = new Date();
  const takes = finding === 'found' && !claim.proven_at;
  const proof =
    takes && !(await isFree(ctx, claim)) ? { ...claim, checked_at: now } : proofAfter(claim, finding, now);
  await keep(ctx, claim, proof);
}

/** Of two that claim a domain, the one that proves it has it; whoever's record is gone makes room at once. */
async function isFree(ctx: Ctx, { domain }: DomainDoc): Promise<boolean> {
  const holder = await domains(ctx).findOne({ domain, proven_at: trusted({ $exists: true }) });
  if (!holder) return true;
  if (holder.missing_since === null) return false;
  await keep(ctx.forOrganization(holder.organization_id), holder, {
    missing_since: null,
    checked_at: holder.checked_at,
  });
  return true;
}

async function keep(ctx: Ctx, before: DomainDoc, proof: Proof): Promise<void> {
  const { proven_at, missing_since, checked_at } = proof;
  await domains(ctx).updateOne(
    { _id: before._id },
    {
      $set: { missing_since, checked_at, ...(proven_at && { proven_at }) },
      ...(!proven_at && { $unset: { proven_at: 1 } }),
    },
  );
  const [was, is] = [stateOf(before), stateOf(proof)];
  if (was === is) return;
  // Its answer shows the domains: whoever has read it must see that it is another one.
  await renewSettings(ctx);
  await recordChange(ctx, identityChangeRecorded, {
    action: `domain.${is}`,
    object: { kind: 'domain', id: before.domain, name: before.domain },
    before: { state: was },
    after: { state: is },
  });
}

/** Somebody else proved it at the same moment: the next check says so. */
function refuseOthers(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}
