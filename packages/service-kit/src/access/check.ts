import { type Role, scopesOf } from '@muster/contracts';
import type { Connection } from 'mongoose';
import { type Actor, weakerRole } from '../auth/actor.ts';
import { unauthorized } from '../auth/token.ts';
import { AppError } from '../errors.ts';
import { trusted } from '../mongo/repository.ts';
import { settingsRows } from '../settings/settings.ts';
import { sameAddress } from './address.ts';
import { accessRows, personKey } from './copies.ts';

/** Where a request comes from, and whether its endpoint may be called from anywhere. */
export interface Origin {
  address: string | null;
  anyAddress: boolean;
}

/** What this service knows of a token, its owner and their organization. */
interface Standing {
  revoked: boolean;
  /** Undefined where nothing was told yet: then the token's own role holds. */
  role: Role | null | undefined;
  address: string | null;
  asksForAddress: boolean;
}

const REMEMBERED_MS = 2_000;
const REMEMBERED_TOKENS = 10_000;

/**
 * What a token's owner may do now, whatever the token says: the weaker of both roles, and its scopes. What is known of a
 * token is read again after 2 s, so that every change works everywhere within 5 s. Raises `unauthorized` for a revoked
 * token or someone who left, and `ip-not-allowed` where the organization asks for the registered address.
 */
export function accessCheck(connection: Connection) {
  const remembered = new Map<string, { standing: Promise<Standing>; until: number }>();

  function standingOf(actor: Actor, tokenId: string): Promise<Standing> {
    const key = `${actor.org} ${actor.id} ${tokenId}`;
    const known = remembered.get(key);
    if (known && known.until > performance.now()) return known.standing;
    if (remembered.size >= REMEMBERED_TOKENS) remembered.clear();
    const standing = readStanding(connection, actor, tokenId);
    remembered.set(key, { standing, until: performance.now() + REMEMBERED_MS });
    standing.catch(() => remembered.delete(key));
    return standing;
  }

  return async function admit(actor: Actor, origin: Origin): Promise<Actor> {
    if (actor.tokenId === null) return actor;
    const { revoked, role, address, asksForAddress } = await standingOf(actor, actor.tokenId);
    if (revoked) throw unauthorized('The token was revoked.');
    if (role === null)
      throw unauthorized('The owner of this token is not a member of the organization any more.');
    if (asksForAddress && !origin.anyAddress && !sameAddress(origin.address, address)) throw notFromHere();
    return role === undefined ? actor : limited(actor, role);
  };
}
export type Admit = ReturnType<typeof accessCheck>;

async function readStanding(connection: Connection, actor: Actor, tokenId: string): Promise<Standing> {
  const of = { store: { org: actor.org, connection } };
  const personId = personKey(actor.org, actor.id);
  const [rows, settings] = await Promise.all([
    accessRows(of).find({ _id: trusted({ $in: [tokenId, personId] }) }),
    settingsRows(of).findOne({ _id: actor.org }, { projection: { 'facts.security': 1 } }),
  ]);
  const person = rows.find(({ _id }) => _id === personId);
  return {
    revoked: rows.some(({ _id }) => _id === tokenId),
    role: person?.role,
    address: person?.address ?? null,
    asksForAddress: settings?.facts.security.ip_allowlist ?? false,
  };
}

function limited(actor: Actor, most: Role): Actor {
  const role = weakerRole(actor.role, most);
  const allowed = scopesOf(role);
  return { ...actor, role, scopes: actor.scopes.filter((scope) => allowed.includes(scope)) };
}

function notFromHere(): AppError {
  return new AppError(
    'ip-not-allowed',
    'Your organization takes your requests only from the address you registered: register this one with POST /auth/update-ip.',
  );
}
