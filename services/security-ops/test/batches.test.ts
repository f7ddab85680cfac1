import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EVENT_LIMITS, settingsUpdated } from '@muster/contracts';
import { eventually, problemOf, publishEvent, startTestService, type TestService } from '@muster/testing';
import { v7 } from 'uuid';
import { securityOps } from '../src/service.ts';
import { asLines, deliverBytes, nativeEvent, numbered, organizationOf, told } from './deliveries.ts';

let service: TestService;
const organization = () => organizationOf(service);

beforeAll(async () => {
  service = await startTestService(securityOps);
});
afterAll(async () => service.stop());

describe('a batch', () => {
  test('of ten thousand lines with bad ones among them stores all others and names the bad', async () => {
    const { events, id } = organization();
    const lines = numbered(EVENT_LIMITS.batch).map((event) => JSON.stringify(event));
    lines[17] = lines[17]?.slice(0, 40) ?? '';
    lines[5_000] = JSON.stringify({ ...nativeEvent(), occurred_at: '9999-01-01T00:00:00Z' });
    lines[9_999] = JSON.stringify({ ...nativeEvent(), raw: { $where: '1' } });
    const { ids, ...result } = await deliverBytes(events, lines.join('\n'));
    expect(result).toMatchObject({ accepted: 9_997, duplicates: 0 });
    expect(result.rejected.map(({ index, errors }) => [index, errors[0]?.path, errors[0]?.code])).toEqual([
      [17, '', 'malformed_json'],
      [5_000, '/occurred_at', 'out_of_range'],
      [9_999, '/raw/$where', 'forbidden_key'],
    ]);
    expect(new Set(ids).size).toBe(9_997);

    const { body } = await events.listEvents({ query: { limit: 1 } });
    expect(body).toMatchObject({ total: 9_997, items: [{ id: ids.at(-1), title: 'Beacon 9998' }] });
    const [batch, ...more] = await told(service, id);
    expect(more).toEqual([]);
    expect(batch).toMatchObject({
      count: 9_997,
      by_severity: { critical: 99, low: 9_898 },
      by_source: { edr: 9_997 },
      techniques: { 'T1071.001': 9_997 },
      first_id: ids[0],
      last_id: ids.at(-1),
    });
    expect(batch?.gravest.length).toBe(EVENT_LIMITS.digests);
    expect(batch?.gravest.every(({ severity }) => severity === 'critical')).toBe(true);

    const more_than_counted = await deliverBytes(events, asLines(numbered(500, 'more')));
    expect(more_than_counted.accepted).toBe(500);
    expect((await events.listEvents({ query: { limit: 1 } })).body.total).toBe(10_497);
    expect((await events.listEvents({ query: { limit: 1, severity: 'critical' } })).body.total).toBe(104);
  });

  test('is refused as a whole with one event too many, and nothing of it stays', async () => {
    const { events, id } = organization();
    const sent = deliverBytes(events, asLines(numbered(EVENT_LIMITS.batch + 1)));
    expect((await problemOf(sent.then(() => ({ status: 200 })))).problem.errors).toMatchObject([
      { code: 'too_big' },
    ]);
    expect((await events.listEvents()).body.total).toBe(0);
    expect(await told(service, id)).toEqual([]);
  });

  test('may be a JSON array, empty lines and Windows ends are no lines, and an empty batch is none', async () => {
    const { events } = organization();
    const array = await deliverBytes(
      events,
      ` [ ${JSON.stringify(numbered(3)).slice(1, -1)} , "x", {"title":7} ] \n`,
      'application/json',
    );
    expect(array).toMatchObject({ accepted: 3, rejected: [{ index: 3 }, { index: 4 }] });
    const windows = `\r\n${numbered(2, 'w')
      .map((one) => JSON.stringify(one))
      .join('\r\n\r\n')}\r\n`;
    expect(await deliverBytes(events, windows)).toMatchObject({ accepted: 2, rejected: [] });
    expect(await deliverBytes(events, '[]', 'application/json')).toMatchObject({ accepted: 0, ids: [] });
    expect(
      await deliverBytes(events, `\uFEFF${JSON.stringify(numbered(2, 'm'))}`, 'application/json'),
    ).toMatchObject({ accepted: 2, rejected: [] });
    const chained = numbered(3, 'v').map((one) =>
      JSON.stringify({ host: 'WS-1', sourcetype: 'edr', event: one }),
    );
    const json = 'application/json; charset=utf-8';
    expect(await deliverBytes(events, chained.join(''), json)).toMatchObject({ accepted: 3, rejected: [] });
    expect(await deliverBytes(events, chained.join('\n'), json)).toMatchObject({
      accepted: 0,
      duplicates: 3,
    });
  });

  test.each([
    '[',
    '[{"title":"x"}',
    '[{"title":"x"},]',
    '{"title":"x"}{"title":"y"',
    '{"title":"x"},{"title":"y"}',
    '[{"title":"x"}] []',
    '[{"title":"x"',
    '[{"title":"x}]',
    '[,]',
    '[}',
  ])('that is broken as %s stores nothing', async (rawBody) => {
    const { events } = organization();
    const headers = { 'content-type': 'application/json' };
    const { problem } = await problemOf(events.ingestEvents({ body: '' }, { rawBody, headers }));
    expect(problem).toMatchObject({ status: 400, type: 'urn:muster:problem:malformed-json' });
    expect((await events.listEvents()).body.total).toBe(0);
  });

  test('says which line is not UTF-8', async () => {
    const { events } = organization();
    const latin = Buffer.from(`${JSON.stringify(nativeEvent({ title: 'Zugriff für Gäste' }))}\n`, 'latin1');
    const bytes = Buffer.concat([Buffer.from(`${asLines(numbered(1))}\n`), latin]);
    const result = await deliverBytes(events, new Uint8Array(bytes));
    expect(result).toMatchObject({ accepted: 1, rejected: [{ index: 1, errors: [{ code: 'not_utf8' }] }] });
  });

  test('of several formats is understood line by line', async () => {
    const { events } = organization();
    const ocsf = {
      class_uid: 2004,
      severity_id: 4,
      time: 1_772_357_400_000,
      metadata: { version: '1.5.0', product: { name: 'XDR' } },
      finding_info: { uid: 'f-1', title: 'Lateral movement', attacks: [{ technique: { uid: 'T1021.001' } }] },
    };
    const ecs = {
      '@timestamp': '2026-03-01T09:30:00Z',
      'event.id': 'e-1',
      'event.severity': 73,
      rule: { name: 'Beacon' },
      host: { name: 'WS-1' },
    };
    const hive = { type: 'misp', source: 'feed', sourceRef: 'h-1', title: 'Known bad', severity: 4 };
    const hec = {
      time: 1_772_357_400.5,
      host: 'WS-9',
      sourcetype: 'acme:edr',
      event: { title: 'From HEC', external_id: 's-1' },
    };
    const cef = '<134>Mar 01 09:30:00 fw CEF:0|Acme|Wall|1|100|Port scan|9|externalId=c-1 shost=WS-2';
    const body = [nativeEvent({ external_id: 'n-1' }), ocsf, ecs, hive, hec].map((one) =>
      JSON.stringify(one),
    );
    expect(await deliverBytes(events, [...body, cef].join('\n'))).toMatchObject({
      accepted: 6,
      rejected: [],
    });
    const { items } = (await events.listEvents()).body;
    expect(
      items.map(({ format, severity, external_id, source }) => [format, severity, external_id, source]),
    ).toEqual([
      ['cef', 'critical', 'c-1', 'Acme Wall'],
      ['native', 'medium', 's-1', 'acme:edr'],
      ['thehive', 'critical', 'h-1', 'feed'],
      ['ecs', 'high', 'e-1', 'elastic'],
      ['ocsf', 'high', 'f-1', 'XDR'],
      ['native', 'high', 'n-1', 'edr'],
    ]);
    expect(items[1]).toMatchObject({ occurred_at: '2026-03-01T09:30:00.500Z', assets: [{ name: 'WS-9' }] });
  });
});

describe('the size', () => {
  const full = (bytes: number) => {
    const line = JSON.stringify(nativeEvent({ raw: 'x'.repeat(60_000) }));
    const filled = Math.floor(bytes / (line.length + 1));
    const lines = Array.from({ length: filled }, (_, at) =>
      line.replace('xxxxxxxx', String(at).padStart(8, 'x')),
    );
    return `${lines.join('\n')}\n${' '.repeat(bytes - filled * (line.length + 1))}`;
  };

  test('of 10 MiB is taken, and a byte more is not', async () => {
    const { events } = organization();
    const most = full(EVENT_LIMITS.batchBytes);
    expect(Buffer.byteLength(most)).toBe(EVENT_LIMITS.batchBytes);
    expect((await deliverBytes(events, most)).rejected).toEqual([]);
    const { total } = (await events.listEvents({ query: { limit: 1 } })).body;
    const over = await problemOf(deliverBytes(events, `${most} `).then(() => ({ status: 200 })));
    expect(over.problem).toMatchObject({ status: 413, type: 'urn:muster:problem:too-large' });
    expect((await events.listEvents({ query: { limit: 1 } })).body.total).toBe(total);
  });

  test('counts what a compressed body unfolds to', async () => {
    const { events } = organization();
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(EVENT_LIMITS.batchBytes + 1, 0x20)));
    const headers = { 'content-encoding': 'gzip' };
    const sent = deliverBytes(events, bomb, 'application/x-ndjson', { headers });
    expect((await problemOf(sent.then(() => ({ status: 200 })))).status).toBe(413);
    const packed = new Uint8Array(gzipSync(asLines(numbered(3))));
    expect(await deliverBytes(events, packed, 'application/x-ndjson', { headers })).toMatchObject({
      accepted: 3,
    });
  });

  test('and a type that is no events are refused before anything is read', async () => {
    const { events } = organization();
    const sent = deliverBytes(events, '<xml/>', 'application/xml');
    expect((await problemOf(sent.then(() => ({ status: 200 })))).status).toBe(415);
  });
});

test('events are kept for as long as the organization says, whole days', async () => {
  const { events, id: org } = organization();
  await publishEvent(service.env.AMQP_URL ?? '', settingsUpdated, {
    org,
    subject: org,
    seq: 1,
    data: settingsUpdated.data.parse({
      ...settingsUpdated.example,
      retention: { events_days: 3, intel_days: 3 },
    }),
  });
  const stored = service.runtime.connection.collection('events');
  await eventually(async () => {
    await deliverBytes(events, asLines([nativeEvent({ external_id: v7() })]));
    const [row] = await stored.find({ org_id: org }).sort({ _id: -1 }).limit(1).toArray();
    const days = (row?.expires_at.getTime() - row?.received_at.getTime()) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(3);
    expect(days).toBeLessThanOrEqual(4);
  });
  const indexes = await stored.indexes();
  expect(indexes).toContainEqual(expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }));
});
