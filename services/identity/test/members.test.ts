import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { memberChanged, replayRequested } from '@muster/contracts';
import { DEMO_ORGANIZATION, DEMO_OWNER, type RunningService } from '@muster/service-kit';
import { eventually, publishEvent } from '@muster/testing';
import { v7 } from 'uuid';
import type { Config } from '../src/config.ts';
import { members } from '../src/members/member.model.ts';
import { addMember } from '../src/members/member.service.ts';
import { organizations } from '../src/organizations/organization.model.ts';
import { users } from '../src/users/user.model.ts';
import {
  emitted,
  type Identity,
  inside,
  newMember,
  newOwner,
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

const membersOf = (of: RunningService<Config>, org: string) => members(inside(of, org)).find({});

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
  const production = await startReplica(service, { MONGODB_DB, MUSTER_MODE: 'production' });
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

test('an e-mail address is kept in lower case, once per organization', async () => {
  const { org } = await newOwner(service);
  const ctx = inside(service, org);
  const add = (email: string) =>
    ctx.inTransaction((within) => addMember(within, { id: v7(), name: 'Someone', email }, 'viewer'));
  await add('Some.One@Example.org');
  expect(await users(ctx).count({ email: 'some.one@example.org' })).toBe(1);
  await expect(add('some.one@example.ORG')).rejects.toMatchObject({ code: 11000 });
});
