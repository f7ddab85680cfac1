import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { identityApi, type Scope, tokenRevoked } from '@muster/contracts';
import type { RunningService } from '@muster/service-kit';
import { eventually } from '@muster/testing';
import { v7 } from 'uuid';
import {
  emitted,
  type Identity,
  newMember,
  newOwner,
  sessionOf,
  startIdentity,
  startReplica,
} from './identity.fixture.ts';

let service: Identity;
let replica: RunningService;

beforeAll(async () => {
  service = await startIdentity();
  replica = await startReplica(service);
});
afterAll(async () => {
  await replica?.stop();
  await service?.stop();
});

const client = (token?: string) => service.client(identityApi, token);
const create = async (name: string, by?: string) => (await client(by).createToken({ body: { name } })).body;

describe('the list', () => {
  test('pages through the own tokens, newest first', async () => {
    const owner = await sessionOf(service, await newOwner(service));
    const made: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) made.unshift((await create(name, owner)).id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await client(owner).listTokens({ query: { limit: 2, cursor } });
      expect(body.total).toBe(5);
      seen.push(...body.items.map((item) => item.id));
      cursor = body.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(made);
  });

  test("a cursor from another person's list is refused", async () => {
    const one = await sessionOf(service, await newOwner(service));
    const other = await sessionOf(service, await newOwner(service));
    for (const name of ['a', 'b']) await create(name, one);
    const { next_cursor } = (await client(one).listTokens({ query: { limit: 1 } })).body;
    const misuse = client(other).listTokens({ query: { limit: 1, cursor: next_cursor ?? '' } });
    await expect(misuse).rejects.toMatchObject({ status: 422 });
  });

  test('a token that was read is not sent again while it has not changed', async () => {
    const { id } = await create('tagged');
    const { headers } = await client().getToken({ params: { id } });
    const known = { 'If-None-Match': headers.get('etag') ?? '' };
    expect((await client().getToken({ params: { id } }, { headers: known })).status).toBe(304);
  });
});

describe("another person's token", () => {
  test.each(['the same organization', 'another organization'])(
    'does not exist for someone of %s',
    async (where) => {
      const owner = await newOwner(service);
      const session = await sessionOf(service, owner);
      const { id, token } = await create('mine', session);
      const stranger =
        where === 'another organization'
          ? await newOwner(service)
          : await newMember(service, owner.org, 'admin');
      const theirs = client(await sessionOf(service, stranger));

      await expect(theirs.getToken({ params: { id } })).rejects.toMatchObject({ status: 404 });
      await expect(theirs.revokeToken({ params: { id } })).rejects.toMatchObject({ status: 404 });
      expect((await theirs.listTokens()).body).toEqual({ items: [], next_cursor: null, total: 0 });
      expect((await client(token).getMe()).status).toBe(200);
      expect((await client(session).getToken({ params: { id } })).body.revoked_at).toBeNull();
    },
  );

  test.each([v7(), 'abc', '%00', '..%2f'])('nor does %s', async (id) => {
    const answer = await service.fetch(`${service.url}/auth/tokens/${id}/`);
    expect(answer.status).toBe(404);
  });
});

test('when a token was last used is told by its use', async () => {
  const owner = await newOwner(service);
  const session = client(await sessionOf(service, owner));
  const { id, token, last_used_at } = (await session.createToken({ body: { name: 'used' } })).body;
  expect(last_used_at).toBeNull();
  const before = Date.now();
  await client(token).getMe();
  await eventually(async () => {
    const used = Date.parse((await session.getToken({ params: { id } })).body.last_used_at ?? '');
    expect(used).toBeGreaterThanOrEqual(before);
  });
});

describe('revoking', () => {
  test('ends a token on every replica within five seconds, and tells it once', async () => {
    const { id, token, expires_at } = await create('leaked');
    const onReplica = () =>
      fetch(`${replica.url}/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    expect((await onReplica()).status).toBe(200);
    expect((await client(token).getMe()).status).toBe(200);

    const revoked = Date.now();
    expect((await client().revokeToken({ params: { id } })).status).toBe(204);
    await eventually(async () => {
      expect((await onReplica()).status).toBe(401);
      await expect(client(token).getMe()).rejects.toMatchObject({ status: 401 });
    }, 5_000);
    expect(Date.now() - revoked).toBeLessThan(5_000);

    expect((await client().revokeToken({ params: { id } })).status).toBe(204);
    expect((await client().getToken({ params: { id } })).body.revoked_at).not.toBeNull();
    const events = await emitted(service, tokenRevoked.type, id);
    expect(events.map((event) => event.data)).toEqual([{ jti: id, expires_at }]);
  });

  test('a token may end itself, and its neighbours live on', async () => {
    const scopes: Scope[] = ['tokens:write'];
    const self = (await client().createToken({ body: { name: 'self', scopes } })).body;
    const neighbour = await create('neighbour');
    await client(self.token).revokeToken({ params: { id: self.id } });
    await eventually(() => expect(client(self.token).getMe()).rejects.toMatchObject({ status: 401 }), 5_000);
    expect((await client(neighbour.token).getMe()).status).toBe(200);
  });

  test('two at once are one', async () => {
    const { id } = await create('twice');
    const both = await Promise.all([1, 2].map(() => client().revokeToken({ params: { id } })));
    expect(both.map((answer) => answer.status)).toEqual([204, 204]);
    expect(await emitted(service, tokenRevoked.type, id)).toHaveLength(1);
  });
});
