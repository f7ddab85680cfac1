import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessChanged, type Role, scopesOf, tokenRevoked } from '@muster/contracts';
import { publishEvent } from '@muster/testing';
import { v7 } from 'uuid';
import { type Notes, startNotes } from './stand.fixture.ts';

// A stream is let in once and could go on for ever: it ends when a new request would not be let in any more.

let service: Notes;
beforeAll(async () => {
  service = await startNotes();
});
afterAll(async () => {
  await service?.stop();
});

const WITHIN_MS = 5_000;
const now = () => Math.floor(Date.now() / 1000);

/** Someone who follows a stream with a token of their own. */
async function follower(claims: { exp?: number; role?: Role } = {}) {
  const { role = 'owner', ...more } = claims;
  const [id, org, jti] = [v7(), v7(), v7()];
  const token = service.tokens.sign({ sub: id, org, jti, role, scopes: scopesOf(role), ...more });
  const answer = await fetch(`${service.url}/api/clock/`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  const state = { ended: 0 };
  const end = answer.text().then((text) => {
    state.ended = performance.now();
    return text;
  });
  return { id, org, jti, state, end };
}
type Follower = Awaited<ReturnType<typeof follower>>;

const tellRevoked = ({ org, jti }: Follower) =>
  publishEvent(service.env.AMQP_URL ?? '', tokenRevoked, {
    org,
    subject: jti,
    seq: 1,
    data: { jti, expires_at: new Date(Date.now() + 3_600_000).toISOString() },
  });
const tellAccess = ({ org, id: user_id }: Follower, seq: number, role: Role | null) =>
  publishEvent(service.env.AMQP_URL ?? '', accessChanged, {
    org,
    subject: user_id,
    seq,
    data: { user_id, role, address: null },
  });

/** Whole: what was sent stays readable, and the connection is closed as after any answer. */
async function endsWithin({ end, state }: Follower, ms: number): Promise<void> {
  const since = performance.now();
  expect(await Promise.race([end, pause(ms + 1_000, 'still open', { ref: false })])).toBe('data: tick\n\n');
  expect(state.ended - since).toBeLessThan(ms);
}

test('of a revoked token, which is also that of a session that was left, ends; its neighbour does not', async () => {
  const [one, neighbour] = [await follower(), await follower()];
  await tellRevoked(one);
  await endsWithin(one, WITHIN_MS);
  expect(neighbour.state.ended).toBe(0);
});

test('of somebody who was suspended or left ends', async () => {
  const one = await follower();
  await tellAccess(one, 1, null);
  await endsWithin(one, WITHIN_MS);
});

test('of somebody whose role became too weak for it ends, and one whose role still suffices goes on', async () => {
  const [one, other] = [await follower({ role: 'owner' }), await follower({ role: 'owner' })];
  await tellAccess(one, 1, 'viewer');
  await tellAccess(other, 1, 'member');
  await endsWithin(one, WITHIN_MS);
  expect(other.state.ended).toBe(0);
});

test('ends with its token', async () => {
  const short = await follower({ exp: now() + 2 });
  await endsWithin(short, 2_000 + WITHIN_MS);
});

test('of a token that lives for a year is open like any other', async () => {
  const long = await follower({ exp: now() + 365 * 86_400 });
  await pause(2_500);
  expect(long.state.ended).toBe(0);
});
