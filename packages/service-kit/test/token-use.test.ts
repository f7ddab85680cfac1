import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tokenUsedBy } from '@muster/contracts';
import { eventually } from '@muster/testing';
import { v7 } from 'uuid';
import { tokenUses } from '../src/access/token-use.ts';
import { developmentActor } from '../src/index.ts';
import { ask, eventsAbout, type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
beforeAll(async () => {
  service = await startNotes();
});
afterAll(async () => {
  await service?.stop();
});

const { type } = tokenUsedBy('exercises');
const told = () => service.database.collection('outbox').countDocuments({ type });
const used = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await ask(service, 'GET /api/notes/', { headers })).status;
};

describe('the use of a token', () => {
  test('is told once, however often it is used within the minute', async () => {
    const [jti, sub] = [v7(), v7()];
    const token = service.tokens.sign({ jti, sub });
    const statuses = await Promise.all(Array.from({ length: 8 }, () => used(token)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await eventually(async () => expect(await eventsAbout(service, jti)).toHaveLength(1));
    expect(await used(token)).toBe(200);
    const [event] = await eventsAbout(service, jti);
    expect(event).toMatchObject({ type, data: { jti, user_id: sub, at: expect.any(String) } });
    await sleep(200);
    expect(await eventsAbout(service, jti)).toHaveLength(1);
  });

  test('is not told of one that is refused, nor of development mode', async () => {
    const before = await told();
    expect(await used(service.tokens.sign({ jti: v7(), exp: 1 }))).toBe(401);
    expect((await ask(service, 'GET /api/notes/')).status).toBe(200);
    const jti = v7();
    expect(await used(service.tokens.sign({ jti }))).toBe(200);
    await eventually(async () => expect(await eventsAbout(service, jti)).toHaveLength(1));
    expect(await told()).toBe(before + 1);
  });

  test('is told again after the pause', async () => {
    const tell = tokenUses(service.runtime, 300);
    const actor = { ...developmentActor, tokenId: v7() };
    const times = async () => (await eventsAbout(service, actor.tokenId)).length;
    for (let n = 0; n < 5; n += 1) tell(actor);
    await eventually(async () => expect(await times()).toBe(1));
    await sleep(350);
    for (let n = 0; n < 5; n += 1) tell(actor);
    await eventually(async () => expect(await times()).toBe(2));
  });

  test('that cannot be told does not fail the request', async () => {
    const silent = { ...service.runtime, messaging: { ...service.runtime.messaging, emit: failing } };
    const said: unknown[] = [];
    const log = { debug: (about: unknown) => said.push(about) };
    tokenUses({ ...silent, log } as never)({ ...developmentActor, tokenId: v7() });
    await eventually(() => expect(said).toEqual([{ err: expect.objectContaining({ message: 'away' }) }]));
  });
});

async function failing(): Promise<void> {
  throw new Error('away');
}
