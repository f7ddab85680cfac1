import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, type IntelItemDetail, intelItemsApi } from '@muster/contracts';
import { DEMO_ORGANIZATION } from '@muster/service-kit';
import { problemOf, startTestService, type TestService } from '@muster/testing';
import { itemCollection } from '../src/items/item.model.ts';
import { filterOf } from '../src/items/item.service.ts';
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

const ingest = (...given: Given) => handOver(client, ...given);
const read = async (id: string) => (await client.getIntel({ params: { id } })).body;
const listed = async (query: Parameters<typeof client.listIntel>[0]) =>
  (await client.listIntel(query)).body.items.map(({ title }) => title);
const org_id = DEMO_ORGANIZATION.id;
const rows = () => service.runtime.connection.collection('intel_items');

describe('a document that is handed over', () => {
  let made: { status: number; body: IntelItemDetail };
  beforeAll(async () => {
    made = await ingest(REPORT, { media_type: 'text/plain', tags: ['hospitals'], tlp: 'TLP:AMBER' });
  });

  test('is read, with the place of each find in its text', async () => {
    expect(made.status).toBe(201);
    const { body } = made;
    expect(body).toMatchObject({
      format: 'text',
      url: null,
      title: 'Akira ransomware hits hospitals',
      published_at: '2026-03-04T00:00:00.000Z',
      actors: ['Akira'],
      malware: ['Akira'],
      cves: ['CVE-2024-40766'],
      sectors: ['healthcare'],
      severity: 'critical',
      tlp: 'amber',
      tags: ['hospitals'],
      version: 1,
      corrected: false,
    });
    expect(body.indicators).toEqual([
      { type: 'url', value: 'http://185.220.101.45/a.exe', defanged: 'hxxp://185[.]220[.]101[.]45/a.exe' },
      { type: 'domain', value: 'update-check-service.net', defanged: 'update-check-service[.]net' },
    ]);
    expect(body.techniques.map(({ id }) => id)).toEqual(expect.arrayContaining(['T1190', 'T1490']));
    for (const { start, end, quote } of body.spans) expect(body.text.slice(start, end)).toBe(quote);
    expect(await read(body.id)).toEqual(body);
  });

  test('is known when it comes again, whatever its layout', async () => {
    const again = await ingest(REPORT.replaceAll('\n', '\r\n'), { tags: ['hospitals'] });
    expect([again.status, again.body.id, again.body.version]).toEqual([200, made.body.id, 1]);
  });

  test('takes the tags and the label of who brings it again', async () => {
    const again = await ingest(REPORT, { tags: ['again'], tlp: 'red' });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      id: made.body.id,
      version: 2,
      tags: ['hospitals', 'again'],
      tlp: 'red',
    });
  });

  test('that comes many times at once is one item', async () => {
    const document = `${REPORT}\n\nA paragraph that is new.`;
    const all = await Promise.all(Array.from({ length: 8 }, () => ingest(document)));
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await rows().countDocuments({ org_id, content_hash: all[0]?.body.content_hash })).toBe(1);
  });

  test('answers a job to those who do not wait', async () => {
    const { status, headers } = await client.ingestIntel(
      { body: { document: `${REPORT} Later.` } },
      { headers: { prefer: 'respond-async' } },
    );
    expect(status).toBe(202);
    expect(headers.get('location')).toMatch(/^\/api\/jobs\//);
  });
});

describe('formats', () => {
  test('a STIX bundle with dangling references, as an object', async () => {
    const id = `report--${crypto.randomUUID()}`;
    const report = {
      type: 'report',
      spec_version: '2.1',
      id,
      created: '2026-01-01T00:00:00Z',
      modified: '2026-01-01T00:00:00Z',
      name: 'A dangling report',
      published: '2026-01-01T00:00:00Z',
      object_refs: ['malware--00000000-0000-4000-8000-000000000001'],
    };
    const first = await ingest(
      { type: 'bundle', id: 'bundle--1', objects: [report] },
      { media_type: 'application/stix+json' },
    );
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ format: 'stix', title: 'A dangling report' });
    expect(first.body.notes[0]).toContain('malware--00000000-0000-4000-8000-000000000001');
    const changed = { ...report, modified: '2026-02-01T00:00:00Z', description: 'Now with APT28.' };
    const second = await ingest({ type: 'bundle', id: 'bundle--2', objects: [changed] });
    expect([second.status, second.body.id, second.body.version, second.body.actors]).toEqual([
      200,
      first.body.id,
      2,
      ['APT28'],
    ]);
  });

  test('a bundle of several reports: the newest answers and names the others', async () => {
    const report = (day: number) => ({
      type: 'report',
      id: `report--${crypto.randomUUID()}`,
      name: `Report of day ${day}`,
      published: `2026-01-0${day}T00:00:00Z`,
      object_refs: [],
    });
    const { body } = await ingest({ type: 'bundle', objects: [report(1), report(3), report(2)] });
    expect(body.title).toBe('Report of day 3');
    expect(body.related).toHaveLength(2);
    expect((await Promise.all(body.related.map(read))).map(({ title }) => title)).toEqual([
      'Report of day 2',
      'Report of day 1',
    ]);
  });

  test.each([
    ['malformed JSON that says it is some', '{"type": "bundle"', 'application/json', 'no valid JSON'],
    ['JSON of another kind', '{"a": 1}', 'application/json', 'no STIX bundle'],
    [
      'an entity bomb',
      '<!DOCTYPE a [<!ENTITY x "y">]><rss><channel><item><title>&x;</title></item></channel></rss>',
      'application/rss+xml',
      'entities',
    ],
    ['a page without text', '<html><body><script>1</script></body></html>', 'text/html', 'no text'],
    ['a type that nobody reads', 'x', 'application/pdf', 'application/pdf'],
    ['bytes', '\u0001\u0002\u0003PK\u0003\u0004', 'text/plain', 'no text'],
    [
      'a manifest without its events',
      '{"5f1c9a3e-1111-4222-8333-944455556666": {"timestamp": "1"}}',
      'application/json',
      'address',
    ],
  ])('%s is refused in plain words, and nothing is stored', async (_name, document, media_type, reason) => {
    const before = await rows().countDocuments({ org_id });
    const { status, problem } = await problemOf(client.ingestIntel({ body: { document, media_type } }));
    expect([status, problem.type]).toEqual([422, 'urn:muster:problem:validation-failed']);
    expect(problem.errors).toEqual([
      expect.objectContaining({ path: '/document', message: expect.stringContaining(reason) }),
    ]);
    expect(await rows().countDocuments({ org_id })).toBe(before);
  });

  test.each([
    ['neither an address nor a document', {}],
    ['both', { url: 'https://example.org/', document: 'x' }],
    ['a media type for an address', { url: 'https://example.org/', media_type: 'text/html' }],
    ['a label that is none', { document: 'x', tlp: 'purple' }],
    ['an unknown field', { document: 'x', colour: 'red' }],
  ])('%s is refused', async (_name, body) => {
    expect((await problemOf(client.ingestIntel({ body: body as never }))).status).toBe(422);
  });
});

describe('the list', () => {
  beforeAll(async () => {
    await ingest(
      'Quiet harbour report\n2025-05-05\n\nMustang Panda used PlugX and password spraying against ministries; it contacted harbour-panel[.]com.',
    );
  });

  test.each([
    ['words', { q: 'quiet HARBOUR' }],
    ['the beginning of a word of the title', { q: 'harb' }],
    ['an indicator', { q: 'harbour-panel[.]com' }],
    ['a technique', { technique: 'T1110.003' }],
    ['the technique of a sub-technique', { technique: 'T1110', q: 'quiet' }],
    ['an alias of an actor', { actor: 'red delta', q: 'quiet' }],
    ['the actor', { actor: 'RedDelta', q: 'quiet' }],
    ['a severity and a format', { severity: 'medium', format: 'text', q: 'quiet' }],
    ['times', { from: '2025-05-01T00:00:00Z', to: '2025-06-01T00:00:00Z' }],
  ] as const)('is filtered by %s', async (name, query) => {
    expect(await listed({ query })).toEqual(name === 'an alias of an actor' ? [] : ['Quiet harbour report']);
  });

  test('has nothing for what no item holds', async () => {
    for (const query of [
      { q: 'quiet unheard' },
      { actor: 'FIN7' },
      { technique: 'T1001' },
      { to: '1999-01-01T00:00:00Z' },
    ])
      expect(await listed({ query })).toEqual([]);
  });

  test('goes by an index, whatever it is asked', () => {
    const times = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
    const asked = filterOf({
      q: 'a',
      technique: 'T1490',
      actor: 'x',
      severity: 'low',
      format: 'text',
      ...times,
    });
    const indexed = itemCollection.indexes.map(([keys]) => Object.keys(keys));
    for (const field of Object.keys(asked)) expect(indexed).toContainEqual(['org_id', field, '_id']);
  });

  test('does not carry the text', async () => {
    const [item] = (await client.listIntel({ query: { limit: 1 } })).body.items;
    expect(item).not.toHaveProperty('text');
    expect(item).not.toHaveProperty('keys');
  });
});

test('an item that is removed is gone with its text, and may come again', async () => {
  const { body } = await ingest('A text to remove.');
  expect((await client.removeIntel({ params: { id: body.id } })).status).toBe(204);
  expect((await problemOf(client.getIntel({ params: { id: body.id } }))).status).toBe(404);
  expect(
    await service.runtime.connection
      .collection('intel_item_texts')
      .countDocuments({ org_id, _id: body.id as never }),
  ).toBe(0);
  expect((await ingest('A text to remove.')).status).toBe(201);
});
