import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Client,
  changeRecordedBy,
  intelItemsApi,
  replayRequested,
  settingsUpdated,
} from '@muster/contracts';
import { DEMO_ORGANIZATION } from '@muster/service-kit';
import { eventually, problemOf, publishEvent, startTestService, type TestService } from '@muster/testing';
import { v7 } from 'uuid';
import { intel } from '../src/service.ts';
import { handOver, REPORT } from './report.fixture.ts';

type Given = Parameters<typeof handOver> extends [unknown, ...infer Rest] ? Rest : never;

let service: TestService;
let client: Client<typeof intelItemsApi>;
beforeAll(async () => {
  service = await startTestService(intel);
  client = service.client(intelItemsApi);
});
afterAll(async () => service.stop());

const org_id = DEMO_ORGANIZATION.id;
const ingest = (...given: Given) => handOver(client, ...given);
const listed = async (query: Parameters<typeof client.listIntel>[0]) =>
  (await client.listIntel(query)).body.items.map(({ title }) => title);
const rows = () => service.runtime.connection.collection('intel_items');
const told = async (id: string) =>
  (
    await service.runtime.connection
      .collection('outbox')
      .find({ type: { $ne: changeRecordedBy('intel').type } })
      .toArray()
  )
    .map((row) => JSON.stringify(row))
    .filter((row) => row.includes(id));

describe('a correction', () => {
  test('changes what was extracted, is told, and stays when the source is read again', async () => {
    const id = `report--${crypto.randomUUID()}`;
    const report = (description: string) => ({
      type: 'bundle',
      objects: [
        {
          type: 'report',
          id,
          name: 'Corrected',
          published: '2026-01-01T00:00:00Z',
          object_refs: [],
          description,
        },
      ],
    });
    const { body: before } = await ingest(report('APT28 used password spraying against banks.'));
    const { body: after, headers } = await client.correctIntel({
      params: { id: before.id },
      body: {
        severity: 'low',
        title: 'A better title',
        add: { techniques: ['T1490'], indicators: [{ type: 'domain', value: 'added.net' }] },
        remove: { actors: ['apt28'] },
      },
    });
    expect(headers.get('etag')).toBe('"2"');
    expect(after).toMatchObject({
      version: 2,
      corrected: true,
      severity: 'low',
      title: 'A better title',
      actors: [],
    });
    expect(after.techniques.map(({ id }) => id)).toEqual(['T1110.003', 'T1490']);
    expect(await listed({ query: { technique: 'T1490', q: 'better' } })).toEqual(['A better title']);
    const { body: reread } = await ingest(report('APT28 used password spraying and Mimikatz against banks.'));
    expect(reread).toMatchObject({
      id: before.id,
      version: 3,
      corrected: true,
      severity: 'low',
      title: 'A better title',
      actors: [],
      tools: ['Mimikatz'],
    });
    expect(reread.indicators).toEqual([{ type: 'domain', value: 'added.net', defanged: 'added[.]net' }]);
    const { body: undone } = await client.correctIntel({
      params: { id: before.id },
      body: { add: { actors: ['APT28'] }, remove: { techniques: ['T1490'] } },
    });
    expect([undone.actors, undone.techniques.map(({ id }) => id)]).toEqual([
      ['APT28'],
      ['T1003', 'T1110.003'],
    ]);
    expect((await told(before.id)).length).toBeGreaterThanOrEqual(4);
  });

  test('of what changed meanwhile, or with what is none, is refused', async () => {
    const { body } = await ingest('A text to correct.');
    const params = { id: body.id };
    const stale = client.correctIntel(
      { params, body: { severity: 'high' } },
      { headers: { 'if-match': '"7"' } },
    );
    expect((await problemOf(stale)).status).toBe(412);
    for (const patch of [
      {},
      { add: { techniques: ['T9999'] } },
      { add: { cves: ['CVE-1'] } },
      { version: 9 },
    ])
      expect((await problemOf(client.correctIntel({ params, body: patch as never }))).status).toBe(422);
    expect(
      (await problemOf(client.correctIntel({ params: { id: v7() }, body: { severity: 'high' } }))).status,
    ).toBe(404);
  });
});

describe('exports', () => {
  test('one item, and all of them, as bundles that are read back', async () => {
    const { body } = await ingest(REPORT);
    await ingest(`${REPORT}\n\nAnother one.`);
    const one = await client.exportIntelItem({ params: { id: body.id } });
    expect(one.headers.get('content-type')).toContain('application/stix+json');
    expect(one.body.objects.at(-1)).toMatchObject({ type: 'report', name: body.title });
    const all = await client.exportIntel({ query: { q: 'akira hospitals' } });
    const ids = all.body.objects.map((object) => object.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(all.body.objects.filter(({ type }) => type === 'report').length).toBeGreaterThan(1);
    const back = await ingest(one.body, { media_type: 'application/stix+json;version=2.1' });
    const { title, actors, malware, cves, indicators, severity, sectors, summary } = body;
    expect(back.body).toMatchObject({ title, actors, malware, cves, indicators, severity, sectors, summary });
    expect(back.body.techniques.map(({ id }) => id).toSorted()).toEqual(
      body.techniques.map(({ id }) => id).toSorted(),
    );
  });

  test('nothing is an empty bundle', async () => {
    const { body } = await client.exportIntel({ query: { q: 'unheard' } });
    expect(body).toMatchObject({ type: 'bundle', objects: [] });
  });
});

describe('organizations', () => {
  test('know nothing of each other', async () => {
    const other = service.client(intelItemsApi, service.tokens.sign({ org: v7() }));
    const { body } = await ingest(REPORT);
    const params = { id: body.id };
    expect((await other.listIntel()).body.total).toBe(0);
    for (const call of [
      other.getIntel({ params }),
      other.exportIntelItem({ params }),
      other.removeIntel({ params }),
      other.correctIntel({ params, body: { severity: 'low' } }),
    ])
      expect((await problemOf(call)).status).toBe(404);
    const own = await other.ingestIntel({ body: { document: REPORT } });
    expect(own.status).toBe(201);
    expect(own.body).not.toMatchObject({ id: body.id });
    expect((await other.exportIntel()).body.objects.filter(({ type }) => type === 'report')).toHaveLength(1);
  });

  test('a viewer reads and changes nothing', async () => {
    const viewer = service.client(intelItemsApi, service.tokens.sign({ role: 'viewer' }));
    expect((await viewer.listIntel()).status).toBe(200);
    expect((await problemOf(viewer.ingestIntel({ body: { document: 'x' } }))).status).toBe(403);
  });
});

test('a new retention moves the day on which items go', async () => {
  const { body } = await ingest('A text that is kept.');
  const row = async () => await rows().findOne({ org_id, _id: body.id as never });
  const days = async () =>
    Math.round(((await row())?.expires_at.getTime() - Date.parse(body.updated_at)) / 86_400_000);
  expect(await days()).toBe(730);
  const data = { ...settingsUpdated.example, retention: { events_days: 30, intel_days: 10 } };
  await publishEvent(service.env.AMQP_URL ?? '', settingsUpdated, {
    org: DEMO_ORGANIZATION.id,
    subject: DEMO_ORGANIZATION.id,
    seq: 1,
    data: data as never,
  });
  await eventually(async () => expect(await days()).toBe(10));
});

test('who rebuilds a read model is told every item again', async () => {
  const { body } = await ingest('A text that is told again.');
  const before = (await told(body.id)).length;
  await publishEvent(service.env.AMQP_URL ?? '', replayRequested, {
    org: DEMO_ORGANIZATION.id,
    subject: v7(),
    seq: 1,
    data: { types: ['intel.item.ingested.v1'] },
  });
  await eventually(async () => expect((await told(body.id)).length).toBe(before + 1));
});
