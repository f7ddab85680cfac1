import type { accessChanged, EventData, Member, memberChanged, Role } from '@muster/contracts';
import { collection, nullable, type RowOf, repository, required } from '@muster/service-kit';
import type { UserDoc } from '../users/user.model.ts';

/** A member and the person they are. */
export interface Membership {
  member: MemberDoc;
  user: UserDoc;
}

/** That a person belongs to an organization, and what they may do there. */
export const memberCollection = collection({
  name: 'members',
  fields: {
    user_id: required(String),
    role: required<Role>(String),
    /** Who is removed stays as a row: should they come back, their versions go on from there. */
    status: required<Member['status'] | 'removed'>(String),
    /** Raised by one with every change: the order of its events. */
    version: required(Number),
    /** The id of the member who invited them. */
    invited_by: nullable(String),
    invited_at: nullable(Date),
    joined_at: nullable(Date),
    last_seen_at: nullable(Date),
    /** Where their tokens work from, should the settings ask for it. */
    address: nullable(String),
    address_at: nullable(Date),
  },
  indexes: [
    [{ org_id: 1, user_id: 1 }, { unique: true }],
    [{ org_id: 1, status: 1, _id: -1 }],
    [{ org_id: 1, role: 1, _id: -1 }],
  ],
});
export type MemberDoc = RowOf<typeof memberCollection>;

export const members = repository(memberCollection);

/** The member as lists and answers show it. */
export function toMember({ member, user }: Membership): Member {
  const time = (at: Date | null | undefined) => at?.toISOString() ?? null;
  return {
    id: member._id,
    name: user.name,
    email: user.email,
    role: member.role,
    // Nobody is shown once they are removed.
    status: member.status as Member['status'],
    invited_by: member.invited_by ?? null,
    invited_at: time(member.invited_at),
    joined_at: time(member.joined_at),
    last_seen_at: time(member.last_seen_at),
  };
}

/** The member as `member.changed` carries it. */
export function toMemberFacts({ member, user }: Membership): EventData<typeof memberChanged> {
  const { _id, role, status } = member;
  return { member_id: _id, name: user.name, email: user.email, role, status };
}

/** What the member may do, as `access.changed` carries it. */
export function toAccess({ user_id, role, status, address }: MemberDoc): EventData<typeof accessChanged> {
  return { user_id, role: status === 'active' ? role : null, address: address ?? null };
}
