import { DAY_MS } from '@muster/contracts';
import { PUBLIC_DOMAINS } from './public-domain.data.ts';

/** Whether anybody can have an address of this domain. @param domain in lower case */
export function isPublicDomain(domain: string): boolean {
  return PUBLIC_DOMAINS.has(domain);
}

/** What an organization's list of domains means for its claims. */
export function claimsOf(
  held: readonly string[],
  wanted: readonly string[],
): { add: string[]; drop: string[] } {
  return {
    add: wanted.filter((domain) => !held.includes(domain)),
    drop: held.filter((domain) => !wanted.includes(domain)),
  };
}

/** How long a domain whose record is gone stays the organization's: time to put back what was cleaned away. */
const GRACE_MS = 7 * DAY_MS;

/** What is known of the proof that a domain is an organization's. */
export interface Proof {
  /** Absent while it is not proven. */
  proven_at?: Date;
  /** Since when the record of a proven domain is gone. */
  missing_since: Date | null;
  checked_at: Date | null;
}

/** What DNS said: the record is there, is not there, or nobody answered. */
export type Finding = 'found' | 'absent' | 'unanswered';

/** The record that proves a domain, which whoever runs its DNS adds. */
export function recordOf(domain: string, token: string) {
  return { type: 'TXT' as const, name: `_muster-challenge.${domain}`, value: `muster-domain=${token}` };
}

/** What is known after a check. A server that does not answer proves nothing and takes nothing away. */
export function proofAfter(before: Proof, finding: Finding, now: Date): Proof {
  const { proven_at, missing_since } = before;
  if (finding === 'unanswered') return { ...before, checked_at: now };
  if (finding === 'found') return { proven_at: proven_at ?? now, missing_since: null, checked_at: now };
  if (!proven_at) return { missing_since: null, checked_at: now };
  const since = missing_since ?? now;
  return now.getTime() - since.getTime() >= GRACE_MS
    ? { missing_since: null, checked_at: now }
    : { proven_at, missing_since: since, checked_at: now };
}

export function stateOf({ proven_at, missing_since }: Proof): 'unproven' | 'proven' | 'missing' {
  if (!proven_at) return 'unproven';
  return missing_since === null ? 'proven' : 'missing';
}

/** When a proven domain whose record is gone stops being the organization's. */
export const endOfGrace = (missingSince: Date) => new Date(missingSince.getTime() + GRACE_MS);

/** What a domain's state means, and what to do about it. */
export function advice(proof: Proof): string {
  switch (stateOf(proof)) {
    case 'proven':
      return 'The record is there: whoever has a verified address of this domain may come in.';
    case 'missing':
      return `The record is gone: put it back before ${endOfGrace(proof.missing_since ?? new Date(0)).toISOString()}, or the domain admits nobody any more.`;
    case 'unproven':
      return 'It admits nobody yet: add this record to the DNS of the domain, then check again.';
  }
}

/** Whether mail may come from an address: one of a domain that is proven, or that the operator mails from. */
export function maySendFrom(
  address: string,
  proven: readonly string[],
  operator: string | undefined,
): boolean {
  const domain = domainOfAddress(address);
  return proven.includes(domain) || (operator !== undefined && domainOfAddress(operator) === domain);
}

const domainOfAddress = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
