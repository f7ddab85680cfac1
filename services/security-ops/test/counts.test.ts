import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventMoved, eventsCounted } from '@muster/contracts';
import { eventually, startTestService, type TestService } from '@muster/testing';
import { securityOps } from '../src/service.ts';
import { asLines, deliver, deliverBytes, nativeEvent, numbered, organizationOf, told } from './deliveries.ts';

/** What is due is looked for every half a minute. */
const LOOKED_AFTER_MS = 45_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService(securityOps);
});
afterAll(async () => service.stop());

const counted = async (org: string) => (await told(service, org, eventsCounted)).map(({ open }) => open);
const rows = (name: string) => service.runtime.connection.collection<{ _id: string }>(name);

describe('how many events are open', () => {
  test('is told when some came, and when they are ended or taken up again', async () => {
    const { events, id: org } = organizationOf(service);
    await deliverBytes(events, asLines(numbered(40)));
    await eventually(async () => expect(await counted(org)).toEqual([40]));
    const { id } = await deliver(events, nativeEvent());
    await eventually(async () => expect((await counted(org)).at(-1)).toBe(41));
    const params = { id };
    await events.updateEvent({ params, body: { status: 'resolved' } });
    await eventually(async () => expect((await counted(org)).at(-1)).toBe(40));
    await events.updateEvent({ params, body: { status: 'in_progress' } });
    await eventually(async () => expect((await counted(org)).at(-1)).toBe(41));
    expect(await told(service, org, eventMoved)).toMatchObject([
      { event_id: id, severity: 'high', from: 'new', to: 'resolved' },
      { event_id: id, severity: 'high', from: 'resolved', to: 'in_progress' },
    ]);
  });

  test('is told once for many that come in a row, and not where it stays the same', async () => {
    const { events, id: org } = organizationOf(service);
    await Promise.all(numbered(60).map((body) => events.ingestEvents({ body })));
    await eventually(async () => expect((await counted(org)).at(-1)).toBe(60));
    expect((await counted(org)).length).toBeLessThan(20);
    const before = await counted(org);
    const { id } = await deliver(events, nativeEvent({ external_id: 'ended', status: 'closed' }));
    await eventually(async () =>
      expect(await rows('gatherings').findOne({ org_id: org, ordered_at: null })).toMatchObject({
        arrived: 61,
      }),
    );
    expect((await events.getEvent({ params: { id } })).body.status).toBe('closed');
    expect(await counted(org)).toEqual(before);
  });

  test('is told on the day on which they expire, though nothing comes', async () => {
    const { events, id: org } = organizationOf(service);
    await deliverBytes(events, asLines(numbered(3)));
    await eventually(async () => expect(await counted(org)).toEqual([3]));
    const daily = await rows('schedules').findOne({ org_id: org });
    expect(daily).toMatchObject({ kind: 'event-counting', every_minutes: 1440, paused: false });
    await rows('event_tallies').deleteMany({ org_id: org });
    await rows('schedules').updateOne(
      { _id: `${org}/event-counting` },
      { $set: { next_run_at: new Date() } },
    );
    await eventually(async () => expect(await counted(org)).toEqual([3, 0]), LOOKED_AFTER_MS);
  });
});
