import { randomBytes } from 'node:crypto';
import { type CloudEvent, type Role, type Scope, scopesOf } from '@muster/contracts';
import { freePort } from '@muster/devstack';
import { type Ctx, type RunningService, startService } from '@muster/service-kit';
import { startTestService, type TestService } from '@muster/testing';
import mongoose from 'mongoose';
import { v7 } from 'uuid';
import { signToken } from '../src/keys/key.service.ts';
import { members } from '../src/members/member.model.ts';
import { addMember } from '../src/members/member.service.ts';
import { foundOrganization } from '../src/organizations/organization.service.ts';
import { identity } from '../src/service.ts';

export type Identity = TestService;

export const newKeyEncryptionKey = () => `test:${randomBytes(32).toString('base64')}`;

/** Nobody answers there: what a test does not serve itself is asked of nobody. */
const NO_DNS = '127.0.0.1:9';

/** What a production start needs beside what every test's start is given. */
export const PRODUCTION = { MUSTER_MODE: 'production', PUBLIC_ORIGIN: 'https://muster.example.org' } as const;

/** Starts identity as it runs in the product: it verifies tokens by its own JWKS. */
export async function startIdentity(variables: Record<string, string> = {}): Promise<Identity> {
  const port = String(await freePort());
  return await startTestService(identity, {
    KEY_ENCRYPTION_KEY: newKeyEncryptionKey(),
    DNS_SERVERS: NO_DNS,
    SERVICE_PORT: port,
    JWKS_URL: `http://127.0.0.1:${port}/.well-known/jwks.json`,
    ...variables,
  });
}

/** Starts identity so that it verifies what a test's own issuer signs. */
export async function startTrusting(variables: Record<string, string>): Promise<Identity> {
  return await startTestService(identity, {
    KEY_ENCRYPTION_KEY: newKeyEncryptionKey(),
    DNS_SERVERS: NO_DNS,
    ...variables,
  });
}

/** Starts another replica beside one that runs, on the same engines. */
export async function startReplica(
  first: Pick<Identity, 'env'>,
  variables: Record<string, string> = {},
): Promise<RunningService> {
  return await startService(identity, { ...first.env, SERVICE_PORT: '0', ...variables });
}

/** Identity itself, working for an organization. */
export function inside(service: RunningService, org: string): Ctx {
  return service.forOrganization(org);
}

export interface Person {
  id: string;
  org: string;
  role: Role;
}

/** Founds an organization and answers its owner. */
export async function newOwner(service: RunningService): Promise<Person> {
  const person: Person = { id: v7(), org: v7(), role: 'owner' };
  const owner = { id: person.id, name: 'An owner', email: `${person.id}@example.org` };
  await foundOrganization(inside(service, person.org), 'An organization', owner);
  return person;
}

/** Adds someone to an organization. */
export async function newMember(service: RunningService, org: string, role: Role): Promise<Person> {
  const person: Person = { id: v7(), org, role };
  const who = { id: person.id, name: `A ${role}`, email: `${person.id}@example.org` };
  await inside(service, org).inTransaction((ctx) => addMember(ctx, who, role));
  return person;
}

/** A person's session, as login makes it: signed with the active key. */
export async function sessionOf(
  service: RunningService,
  person: Person,
  scopes: Scope[] = scopesOf(person.role),
): Promise<string> {
  const { id: sub, org, role } = person;
  const exp = Math.floor(Date.now() / 1000) + 3600;
  return await signToken(inside(service, org), {
    sub,
    jti: v7(),
    org,
    name: 'Someone',
    role,
    scopes,
    kind: 'session',
    exp,
  });
}

/** Every document of the service's database, as one text. */
export async function everythingStored({ env }: Pick<Identity, 'env'>): Promise<string> {
  const client = new mongoose.mongo.MongoClient(env.MONGODB_URI ?? '');
  try {
    const db = client.db(env.MONGODB_DB);
    const texts: string[] = [];
    for (const { name } of await db.listCollections().toArray()) {
      texts.push(JSON.stringify(await db.collection(name).find().toArray()));
    }
    return texts.join('\n');
  } finally {
    await client.close();
  }
}

/** The events of a type that were emitted about a subject. */
export async function emitted(
  { runtime }: RunningService,
  type: string,
  subject: string,
): Promise<CloudEvent[]> {
  const rows = await runtime.connection.collection<{ body: string }>('outbox').find({ type }).toArray();
  return rows.map((row) => JSON.parse(row.body)).filter((event) => event.subject === subject);
}

/** The id of the person's membership, which is what the API names. */
export async function memberIdOf(service: Identity, person: Person): Promise<string> {
  const found = await members(inside(service, person.org)).findOne({ user_id: person.id });
  if (!found) throw new Error('no such member');
  return found._id;
}
