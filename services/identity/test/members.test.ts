import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessChanged, DEMO_PEOPLE, memberChanged, replayRequested, tokenRevoked } from '@muster/contracts';
import { DEMO_ORGANIZATION, DEMO_OWNER, type RunningService } from '@muster/service-kit';
import { eventually, publishEvent } from '@muster/testing';
import { v7 } from 'uuid';
import { withUsers } from '../src/members/announcement.service.ts';
import { members } from '../src/members/member.model.ts';
import { addMember } from '../src/members/member.service.ts';
import { organizations } from '../src/organizations/organization.model.ts';
import { tokens } from '../src/tokens/token.model.ts';
import { users } from '../src/users/user.model.ts';
import {
  emitted,
  type Identity,
  inside,
  newMember,
  newOwner,
  PRODUCTION,
  startIdentity,
  startReplica,
} from './identity.fixture.ts';

let service: Identity;

beforeAll(async () => {
  service = await startIdentity();
});
afterAll(async () => {
  await service?.stop();
});

const membersOf = (of: RunningService, org: string) => members(inside(of, org)).find({});

test('the demo organization and its owner are there, and were announced once', async () => {
  const [owner, ...others] = await membersOf(service, DEMO_ORGANIZATION.id);
  expect(others).toEqual([]);
  expect(owner).toMatchObject({ user_id: DEMO_OWNER.id, role: 'owner', status: 'active', version: 1 });
  const events = await emitted(service, memberChanged.type, owner?._id ?? '');
  expect(events).toMatchObject([
    {
      orgid: DEMO_ORGANIZATION.id,
      seq: 1,
      data: { member_id: owner?._id, name: DEMO_OWNER.name, email: DEMO_OWNER.email, role: 'owner' },
    },
  ]);
});

test('the announcement is published', async () => {
  await eventually(async () => {
    const waiting = await service.runtime.connection
      .collection('outbox')
      .countDocuments({ pending: { $exists: true } });
    expect(waiting).toBe(0);
  });
});

test('another start announces nothing again', async () => {
  const replica = await startReplica(service);
  await replica.stop();
  const [owner] = await membersOf(service, DEMO_ORGANIZATION.id);
  expect(await emitted(service, memberChanged.type, owner?._id ?? '')).toHaveLength(1);
});

test('three replicas on an empty database at once found the demo organization once', async () => {
  const MONGODB_DB = `${service.env.MONGODB_DB}_cold`;
  const replicas = await Promise.all([1, 2, 3].map(() => startReplica(service, { MONGODB_DB })));
  const [first] = replicas;
  if (!first) throw new Error('no replica started');
  try {
    const ctx = inside(first, DEMO_ORGANIZATION.id);
    expect(await organizations(ctx).count({})).toBe(1);
    expect(await users(ctx).count({})).toBe(1);
    const [owner, ...others] = await membersOf(first, DEMO_ORGANIZATION.id);
    expect(others).toEqual([]);
    expect(await emitted(first, memberChanged.type, owner?._id ?? '')).toHaveLength(1);
  } finally {
    await first.runtime.connection.dropDatabase();
    for (const started of replicas) await started.stop();
  }
});

test('production mode seeds nobody', async () => {
  const MONGODB_DB = `${service.env.MONGODB_DB}_production`;
  const production = await startReplica(service, { MONGODB_DB, ...PRODUCTION });
  try {
    expect(await membersOf(production, DEMO_ORGANIZATION.id)).toEqual([]);
  } finally {
    await production.runtime.connection.dropDatabase();
    await production.stop();
  }
});

test('who rebuilds a read model of members gets those of its organization again, as they are', async () => {
  const owner = await newOwner(service);
  await newMember(service, owner.org, 'viewer');
  const elsewhere = await newOwner(service);
  const [one, other] = await membersOf(service, owner.org);
  const [stranger] = await membersOf(service, elsewhere.org);
  const ids = [one?._id ?? '', other?._id ?? ''];

  const replay = (org: string, types: string[]) =>
    publishEvent(service.env.AMQP_URL ?? '', replayRequested, {
      org,
      subject: v7(),
      seq: 1,
      data: { types },
    });
  await replay(owner.org, [memberChanged.type]);
  await replay(elsewhere.org, ['exercises.session.saved.v1']);

  await eventually(async () => {
    for (const id of ids) expect(await emitted(service, memberChanged.type, id)).toHaveLength(2);
  });
  for (const id of ids) {
    const [first, again] = await emitted(service, memberChanged.type, id);
    expect(again).toMatchObject({ orgid: owner.org, subject: id, seq: first?.seq, data: first?.data });
    expect(again?.id).not.toBe(first?.id);
  }
  expect(await emitted(service, memberChanged.type, stranger?._id ?? '')).toHaveLength(1);
});

test('who needs what people may do, or which tokens are revoked, is told that again', async () => {
  const { org, id } = await newOwner(service);
  const token = v7();
  const day = 86_400_000;
  const ctx = inside(service, org);
  const doc = {
    name: 'n',
    made_with: null,
    scopes: [],
    created_at: new Date(),
    last_used_at: null,
    user_id: id,
  };
  const ends = { expires_at: new Date(Date.now() + day), revoked_at: new Date() };
  await tokens(ctx).insert({ ...doc, ...ends, _id: token });
  const expired = v7();
  await tokens(ctx).insert({ ...doc, ...ends, expires_at: new Date(Date.now() - day), _id: expired });
  await publishEvent(service.env.AMQP_URL ?? '', replayRequested, {
    org,
    subject: v7(),
    seq: 1,
    data: { types: [accessChanged.type, tokenRevoked.type] },
  });
  await eventually(async () => {
    const access = await emitted(service, accessChanged.type, id);
    expect(access.map(({ seq, data }) => [seq, data])).toEqual(
      [1, 1].map((seq) => [seq, { user_id: id, role: 'owner', address: null }]),
    );
    expect(await emitted(service, tokenRevoked.type, token)).toHaveLength(1);
  });
  expect(await emitted(service, tokenRevoked.type, expired)).toEqual([]);
});

describe('the demo people', () => {
  const people = async (of: RunningService) => {
    const ctx = inside(of, DEMO_ORGANIZATION.id);
    const all = await withUsers(ctx, await members(ctx).find({}));
    return all.map(({ user, member }) => [user.email, member.role]).toSorted();
  };

  test('are members where they are asked for, once, the owner being the one who was there', async () => {
    const MONGODB_DB = `${service.env.MONGODB_DB}_demo`;
    const variables = { MONGODB_DB, DEMO_PEOPLE: '1' };
    const replicas = await Promise.all([1, 2, 3].map(() => startReplica(service, variables)));
    const [first] = replicas;
    if (!first) throw new Error('no replica started');
    try {
      expect(await people(first)).toEqual(DEMO_PEOPLE.map(({ email, role }) => [email, role]).toSorted());
      expect(await membersOf(first, DEMO_ORGANIZATION.id)).toContainEqual(
        expect.objectContaining({ user_id: DEMO_OWNER.id, role: 'owner' }),
      );
    } finally {
      await first.runtime.connection.dropDatabase();
      for (const started of replicas) await started.stop();
    }
  });

  test('stay away once they were removed', async () => {
    const MONGODB_DB = `${service.env.MONGODB_DB}_removed`;
    const variables = { MONGODB_DB, DEMO_PEOPLE: '1' };
    const first = await startReplica(service, variables);
    const ctx = inside(first, DEMO_ORGANIZATION.id);
    const gone = { role: 'viewer' as const };
    await members(ctx).updateOne(gone, { $set: { status: 'removed' } });
    await first.stop();
    const again = await startReplica(service, variables);
    try {
      const viewer = await members(inside(again, DEMO_ORGANIZATION.id)).findOne(gone);
      expect(viewer?.status).toBe('removed');
    } finally {
      await again.runtime.connection.dropDatabase();
      await again.stop();
    }
  });
});

test('an e-mail address is kept in lower case, once per organization', async () => {
  const { org } = await newOwner(service);
  const ctx = inside(service, org);
  const add = (email: string) =>
    ctx.inTransaction((within) => addMember(within, { id: v7(), name: 'Someone', email }, 'viewer'));
  await add('Some.One@Example.org');
  expect(await users(ctx).count({ email: 'some.one@example.org' })).toBe(1);
  await expect(add('some.one@example.ORG')).rejects.toMatchObject({ code: 'conflict' });
});
