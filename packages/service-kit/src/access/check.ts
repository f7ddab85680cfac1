import { type AccessStanding, type Role, type SettingsFacts, scopesOf } from '@muster/contracts';
import { isDuplicateKey } from '@muster/messaging';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { type Actor, weakerRole } from '../auth/actor.ts';
import { unauthorized } from '../auth/token.ts';
import { AppError } from '../errors.ts';
import { trusted } from '../mongo/repository.ts';
import { settingsRows } from '../settings/settings.ts';
import { sameAddress } from './address.ts';
import { type AccessRow, accessRows, personKey } from './copies.ts';
import type { AskStanding } from './standing.ts';

/** Where a request comes from, and whether its endpoint may be called from anywhere. */
export interface Origin {
  address: string | null;
  anyAddress: boolean;
}

/** What this service knows of a token, its owner and their organization. */
interface Standing {
  revoked: boolean;
  /** Null for nothing at all. */
  role: Role | null;
  address: string | null;
  asksForAddress: boolean;
}

const REMEMBERED_MS = 2_000;
const REMEMBERED_TOKENS = 10_000;

/**
 * What a token's owner may do now, whatever the token says: the weaker of both roles, and its scopes. What is known of a
 * token is read again after 2 s, so that every change works everywhere within 5 s. Raises `unauthorized` for a revoked
 * token or someone who left, `ip-not-allowed` where the organization asks for the registered address, and `unavailable`
 * when nothing was told of them yet and identity cannot be asked.
 * @param ask asks identity for somebody of whom nothing was told; its answer is kept
 */
export function accessCheck(connection: Connection, ask: AskStanding) {
  const remembered = new LRUCache<string, Promise<Standing>>({
    max: REMEMBERED_TOKENS,
    ttl: REMEMBERED_MS,
  });

  function standingOf(actor: Actor, tokenId: string): Promise<Standing> {
    const key = `${actor.org} ${actor.id} ${tokenId}`;
    const known = remembered.get(key);
    if (known) return known;
    const read = readStanding(connection, ask, actor, tokenId);
    remembered.set(key, read);
    read.catch(() => remembered.delete(key));
    return read;
  }

  return async function admit(actor: Actor, origin: Origin): Promise<Actor> {
    if (actor.tokenId === null) return actor;
    const { revoked, role, address, asksForAddress } = await standingOf(actor, actor.tokenId);
    if (revoked) throw unauthorized('The token was revoked.');
    if (role === null)
      throw unauthorized('The owner of this token is not a member of the organization any more.');
    if (asksForAddress && !origin.anyAddress && !sameAddress(origin.address, address)) throw notFromHere();
    return limited(actor, role);
  };
}
export type Admit = ReturnType<typeof accessCheck>;

async function readStanding(
  connection: Connection,
  ask: AskStanding,
  actor: Actor,
  tokenId: string,
): Promise<Standing> {
  const of = { store: { org: actor.org, connection } };
  const personId = personKey(actor.org, actor.id);
  const [rows, settings] = await Promise.all([
    accessRows(of).find({ _id: trusted({ $in: [tokenId, personId] }) }),
    settingsRows(of).findOne({ _id: actor.org }, { projection: { 'facts.security': 1 } }),
  ]);
  const person = rows.find(({ _id }) => _id === personId);
  const revoked = rows.some(({ _id }) => _id === tokenId);
  if (person && settings) return standing({ revoked, person, facts: settings.facts });
  const told = await ask(actor, tokenId);
  await keep(of, personId, told);
  return standing({
    revoked: revoked || told.revoked,
    person: person ?? told.access,
    facts: settings?.facts ?? told.settings?.facts,
  });
}

function standing(known: {
  revoked: boolean;
  person: Pick<AccessRow, 'role' | 'address'>;
  facts: Pick<SettingsFacts, 'security'> | undefined;
}): Standing {
  const { role = null, address = null } = known.person;
  const asksForAddress = known.facts?.security.ip_allowlist ?? false;
  return { revoked: known.revoked, role, address, asksForAddress };
}

/** Keeps what identity answered where no event has told it meanwhile. */
async function keep(
  of: Parameters<typeof accessRows>[0],
  personId: string,
  { access, settings }: AccessStanding,
): Promise<void> {
  try {
    await accessRows(of).updateOne({ _id: personId }, { $setOnInsert: access }, { upsert: true });
    if (settings)
      await settingsRows(of).updateOne({ _id: of.store.org }, { $setOnInsert: settings }, { upsert: true });
  } catch (error) {
    // Another request of theirs was faster; what is left is kept the next time.
    if (!isDuplicateKey(error)) throw error;
  }
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
