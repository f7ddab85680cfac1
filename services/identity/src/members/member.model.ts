import type { EventData, memberChanged, Role } from '@muster/contracts';
import { collection, repository, type Stored } from '@muster/service-kit';
import type { UserDoc } from '../users/user.model.ts';

/** That a person belongs to an organization, and what they may do there. */
export interface MemberDoc extends Stored {
  user_id: string;
  role: Role;
  status: 'active' | 'suspended';
  /** Raised by one with every change: the order of its events. */
  version: number;
  joined_at: Date;
}

export const memberCollection = collection<MemberDoc>({
  name: 'members',
  fields: {
    user_id: { type: String, required: true },
    role: { type: String, required: true },
    status: { type: String, required: true },
    version: { type: Number, required: true },
    joined_at: { type: Date, required: true },
  },
  indexes: [[{ org_id: 1, user_id: 1 }, { unique: true }]],
});

export const members = repository(memberCollection);

/** The member as `member.changed` carries it. */
export function toMemberFacts(member: MemberDoc, user: UserDoc): EventData<typeof memberChanged> {
  const { _id, role, status } = member;
  return { member_id: _id, name: user.name, email: user.email, role, status };
}
