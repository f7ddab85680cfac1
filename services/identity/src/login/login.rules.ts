import type { MemberDoc } from '../members/member.model.ts';
import type { RefusalReason } from './refusal.texts.ts';

/** How long a login may take, from its start to the provider's answer. */
export const LOGIN_SECONDS = 600;

/** All that decides who comes in, and how. */
export interface SignIn {
  /** The person that this account is linked to already, with their standing; null for a new account. */
  linked: { org: string; userId: string; status: MemberDoc['status'] | null } | null;
  /** What the provider says: an address, and whether it is verified. */
  email: { named: boolean; verified: boolean };
  /** The organization that the login's invitation is for, null without one. */
  invitedTo: string | null;
  /** Whether the login began at a setup link. */
  setup: boolean;
  /** The organization that the address's domain belongs to, with the standing of whoever has this address there. */
  domain: { org: string; status: MemberDoc['status'] | null } | null;
}

export type Decision =
  | { kind: 'enter'; org: string; userId: string }
  | Admission
  | { kind: 'refuse'; reason: RefusalReason };

/** The ways in for a new account. */
export type Admission = { kind: 'accept-invite' } | { kind: 'found' } | { kind: 'join'; org: string };

/**
 * The account rules. An account that is linked is that person and needs nothing more than to be an active member. A new
 * one needs a verified e-mail address, and an invitation, the setup link, or a domain that an organization allows. An
 * address is never enough to become a person who is there already.
 */
export function decide(signIn: SignIn): Decision {
  const { linked, invitedTo } = signIn;
  if (linked?.status === 'active') {
    const elsewhere = invitedTo !== null && invitedTo !== linked.org;
    if (elsewhere) return refuse('other-organization');
    return { kind: 'enter', org: linked.org, userId: linked.userId };
  }
  if (linked?.status === 'suspended') return refuse('suspended');
  // Whoever was removed comes back by an invitation only, not by what would let a stranger in.
  if (linked && invitedTo === null) return refuse('not-a-member');
  return admissionOf(signIn);
}

function admissionOf({ email, invitedTo, setup, domain }: SignIn): Decision {
  if (!email.named) return refuse('no-email');
  if (!email.verified) return refuse('email-not-verified');
  if (invitedTo !== null) return { kind: 'accept-invite' };
  if (setup) return { kind: 'found' };
  if (!domain) return refuse('no-organization');
  switch (domain.status) {
    case 'removed':
      return refuse('not-a-member');
    case 'active':
    case 'suspended':
      return refuse('other-identity');
    default:
      return { kind: 'join', org: domain.org };
  }
}

const refuse = (reason: RefusalReason): Decision => ({ kind: 'refuse', reason });

/** The domain of a verified address. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}
