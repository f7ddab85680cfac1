import { AppError, type Ctx, isDuplicateKey } from '@muster/service-kit';
import { v7 } from 'uuid';
import { organizationOfDomain } from '../domains/domain.service.ts';
import { partsOf } from '../invites/invite.rules.ts';
import { acceptInvite } from '../invites/invite.service.ts';
import type { LinkDoc } from '../links/link.model.ts';
import { findLink, linkPerson } from '../links/link.service.ts';
import { members } from '../members/member.model.ts';
import { addMember, membershipOf } from '../members/member.service.ts';
import { foundOrganization } from '../organizations/organization.service.ts';
import type { Identity } from '../providers/claims.rules.ts';
import { useSetupToken } from '../setup/setup.service.ts';
import {
  beginSession,
  type Entry,
  endFormerSession,
  type NewSession,
} from '../web-sessions/web-session.service.ts';
import { type Admission, decide, domainOf, type SignIn } from './login.rules.ts';
import { LoginRefusal } from './refusal.rules.ts';

/** What someone comes with: who they are, what their login began with, and their browser. */
export interface Guest {
  identity: Identity;
  invite: string | undefined;
  setup: string | undefined;
  /** The session cookie that their browser had before. */
  formerCookie: string | undefined;
  entry: Omit<Entry, 'userId'>;
}

/** Where someone belongs, as which user. */
interface Place {
  ctx: Ctx;
  userId: string;
}

/** Lets someone in by the account rules and begins their session: all of it or nothing. Raises LoginRefusal. */
export async function admit(ctx: Ctx, guest: Guest): Promise<NewSession> {
  const attempt = () => ctx.inTransaction((inside) => admitOnce(inside, guest));
  try {
    return await attempt();
  } catch (error) {
    // Somebody came in with the same account at the same moment: by now it is a known one.
    if (isDuplicateKey(error) || isCode(error, 'conflict')) return await attempt();
    throw error;
  }
}

async function admitOnce(ctx: Ctx, guest: Guest): Promise<NewSession> {
  const decision = decide(await signInOf(ctx, guest));
  if (decision.kind === 'refuse') throw new LoginRefusal(decision.reason);
  const place =
    decision.kind === 'enter'
      ? { ctx: ctx.forOrganization(decision.org), userId: decision.userId }
      : await settle(ctx, guest, decision);
  await endFormerSession(ctx, guest.formerCookie);
  return await beginSession(place.ctx, { ...guest.entry, userId: place.userId });
}

async function signInOf(ctx: Ctx, { identity, invite, setup }: Guest): Promise<SignIn> {
  const { key, email, emailNamed } = identity;
  const link = await findLink(ctx, key);
  return {
    linked: link && (await standingOf(ctx, link)),
    email: { named: emailNamed, verified: email !== null },
    invitedTo: invite === undefined ? null : (partsOf(invite)?.org ?? null),
    setup: setup !== undefined,
    domain: email === null ? null : await homeOf(ctx, email),
  };
}

async function standingOf(ctx: Ctx, { member_org: org, user_id: userId }: LinkDoc) {
  const member = await members(ctx.forOrganization(org)).findOne({ user_id: userId });
  return { org, userId, status: member?.status ?? null };
}

/** The organization that an address belongs to by its domain, and the standing of whoever has the address there. */
async function homeOf(ctx: Ctx, email: string): Promise<SignIn['domain']> {
  const org = await organizationOfDomain(ctx, domainOf(email));
  if (org === null) return null;
  const known = await membershipOf(ctx.forOrganization(org), email);
  return { org, status: known?.member.status ?? null };
}

/** Makes whoever has a new account a member, and links the account. */
async function settle(ctx: Ctx, guest: Guest, admission: Admission): Promise<Place> {
  const { key, name, email } = guest.identity;
  if (email === null) throw new LoginRefusal('email-not-verified');
  const place = await placeFor(ctx, guest, admission, { name, email });
  await linkPerson(place.ctx, key, place.userId);
  return place;
}

interface Person {
  name: string;
  email: string;
}

async function placeFor(ctx: Ctx, guest: Guest, admission: Admission, person: Person): Promise<Place> {
  switch (admission.kind) {
    case 'accept-invite':
      return await byInvite(ctx, guest.invite ?? '', person);
    case 'found':
      return await bySetup(ctx, guest.setup ?? '', person);
    case 'join':
      return await byDomain(ctx, admission.org, person);
  }
}

async function byInvite(ctx: Ctx, token: string, person: Person): Promise<Place> {
  try {
    const { user } = await acceptInvite(ctx, token, person);
    return { ctx: ctx.forOrganization(user.org_id), userId: user._id };
  } catch (error) {
    if (isCode(error, 'forbidden')) throw new LoginRefusal('invite');
    throw error;
  }
}

async function bySetup(ctx: Ctx, token: string, person: Person): Promise<Place> {
  if (!(await useSetupToken(ctx, token))) throw new LoginRefusal('setup');
  const inside = ctx.forOrganization(v7());
  const owner = { id: v7(), ...person };
  await foundOrganization(inside, domainOf(person.email), owner);
  return { ctx: inside, userId: owner.id };
}

async function byDomain(ctx: Ctx, org: string, person: Person): Promise<Place> {
  const inside = ctx.forOrganization(org);
  const member = await addMember(inside, { id: v7(), ...person }, 'viewer');
  return { ctx: inside, userId: member.user_id };
}

const isCode = (error: unknown, code: AppError['code']) => error instanceof AppError && error.code === code;
