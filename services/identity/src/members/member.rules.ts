import { type Role, roleAllows } from '@muster/contracts';
import type { MemberDoc } from './member.model.ts';

type Standing = Pick<MemberDoc, 'role' | 'status'>;

/** What is asked of a member's role and status; `removed` stands for leaving. */
export interface StandingChange {
  role?: Role | undefined;
  status?: 'active' | 'suspended' | 'removed' | undefined;
}

export interface Refusal {
  code: 'forbidden' | 'conflict';
  detail: string;
}

/** Whether someone may grant a role: none above their own. */
export function mayGrant(caller: Role, role: Role): boolean {
  return roleAllows(caller, role);
}

/**
 * Why a change must not be, or null when it may. Whoever manages members manages those up to their own role: only an
 * owner changes an owner or makes one.
 * @param own whether the caller is this member
 */
export function refusalOf(
  caller: Role,
  own: boolean,
  member: Standing,
  change: StandingChange,
): Refusal | null {
  if (!mayGrant(caller, member.role))
    return forbidden(`Only an ${member.role} may change someone who is an ${member.role}.`);
  if (change.role !== undefined && !mayGrant(caller, change.role))
    return forbidden(`Only an ${change.role} may make someone ${change.role}.`);
  if (own && change.status === 'suspended')
    return conflict('You cannot suspend yourself: ask someone else who manages members, or leave.');
  if (member.status === 'invited' && change.status === 'active')
    return conflict('They become active when they accept their invitation: invite them again to renew it.');
  if (member.status === 'invited' && change.status === 'suspended')
    return conflict('They have not joined yet: take the invitation back instead.');
  return null;
}

const forbidden = (detail: string): Refusal => ({ code: 'forbidden', detail });
const conflict = (detail: string): Refusal => ({ code: 'conflict', detail });

/** Whether a change takes an active owner from the organization. */
export function losesOwner(member: Standing, change: StandingChange): boolean {
  const isOwner = (standing: Standing) => standing.role === 'owner' && standing.status === 'active';
  const after = { role: change.role ?? member.role, status: change.status ?? member.status };
  return isOwner(member) && !isOwner(after);
}

/** One line of the audit log about a member. */
export interface Alteration {
  action: string;
  before: Record<string, string>;
  after: Record<string, string>;
}

/** What a change makes different, one entry for each aspect; nothing for what stays as it is. */
export function alterationsOf(
  member: Standing & { name: string },
  change: { role?: Role | undefined; status?: 'active' | 'suspended' | undefined; name?: string | undefined },
): Alteration[] {
  const { role, status, name } = change;
  const all: Alteration[] = [];
  if (role !== undefined && role !== member.role)
    all.push({ action: 'member.role_changed', before: { role: member.role }, after: { role } });
  if (status !== undefined && status !== member.status) {
    const action = status === 'suspended' ? 'member.suspended' : 'member.reactivated';
    all.push({ action, before: { status: member.status }, after: { status } });
  }
  if (name !== undefined && name !== member.name)
    all.push({ action: 'member.renamed', before: { name: member.name }, after: { name } });
  return all;
}
