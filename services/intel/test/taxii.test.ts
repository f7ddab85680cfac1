import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Feed, feedsApi, intelItemsApi } from '@muster/contracts';
import { eventually, startTestService, type TestService } from '@muster/testing';
import { intel } from '../src/service.ts';
import { startWeb, type Web } from './web.fixture.ts';

const TAXII = 'application/taxii+json;version=2.1';
const OBJECTS = '/api1/collections/large/objects/';
const ADDED = '2026-03-01T10:00:00.123456Z';
const LATER = '2026-03-02T08:00:00.000000Z';
const ENCRYPTION = 'attack-pattern--b80d107d-fa0d-4b60-9684-b0433e8bdba0';
const PHISHING = 'attack-pattern--a62a8db3-f23a-4d8f-afd6-9dbc77e7813b';

let web: Web;
let service: TestService;
beforeAll(async () => {
  web = await startWeb();
  service = await startTestService(intel, { MUSTER_INTEL_ALLOW: web.host });
});
afterAll(async () => {
  await service?.stop();
  await web?.stop();
});

const answer = (query: string, envelope: object, added?: string) =>
  web.set(OBJECTS + query, (_request, response) => {
    response.writeHead(200, { 'content-type': TAXII, ...(added && { 'x-taxii-date-added-last': added }) });
    response.end(JSON.stringify(envelope));
  });
const report = (digit: number, name: string, object_refs: string[] = []) => ({
  type: 'report',
  spec_version: '2.1',
  name,
  object_refs,
  id: `report--00000000-0000-4000-8000-00000000000${digit}`,
  published: `2026-02-0${digit}T00:00:00Z`,
});
const technique = (id: string, external_id: string) => ({
  type: 'attack-pattern',
  spec_version: '2.1',
  id,
  name: external_id,
  external_references: [{ source_name: 'mitre-attack', external_id }],
});
const matching = (...ids: string[]) => `?match%5Bid%5D=${encodeURIComponent(ids.join(','))}`;
const since = (time: string) => `?added_after=${encodeURIComponent(time)}`;

test('a collection that is too large for one reading is read on, with what the new objects refer to', async () => {
  const feeds = service.client(feedsApi);
  const items = async (q: string) =>
    (await service.client(intelItemsApi).listIntel({ query: { q } })).body.items;
  // A page that names itself as the next is as good as one that never ends.
  answer('', { more: true, next: 'same', objects: [report(1, 'Collected early')] }, ADDED);
  answer('?next=same', { more: true, next: 'same', objects: [] }, ADDED);
  const { id } = (await feeds.createFeed({ body: { url: web.at('/api1/collections/large/') } })).body;
  const read = async () => (await feeds.getFeed({ params: { id } })).body;
  const fetched = async () => (await feeds.fetchFeed({ params: { id } })).body as Feed;
  await eventually(async () =>
    expect((await read()).last_fetch).toMatchObject({ ok: true, items: { new: 1 } }),
  );
  expect((await items('early'))[0]?.notes?.[0]).toContain('is read next time');

  answer(
    since(ADDED),
    {
      objects: [technique(PHISHING, 'T1566.001'), report(2, 'Collected afterwards', [PHISHING, ENCRYPTION])],
    },
    LATER,
  );
  answer(matching(ENCRYPTION), { objects: [technique(ENCRYPTION, 'T1486')] });
  expect((await fetched()).last_fetch).toMatchObject({ ok: true, items: { new: 1, known: 0 } });
  expect((await items('afterwards'))[0]).toMatchObject({
    techniques: [
      { id: 'T1566.001', evidence: [{ how: 'given' }] },
      { id: 'T1486', evidence: [{ how: 'given' }] },
    ],
  });

  answer(since(LATER), {});
  expect((await fetched()).last_fetch).toMatchObject({ ok: true, items: { new: 0, updated: 0, known: 0 } });

  // A source that does not answer for single objects is read without them.
  answer(since(LATER), { objects: [report(3, 'Collected last', [ENCRYPTION])] }, LATER);
  web.set(OBJECTS + matching(ENCRYPTION), 'No', 'text/plain');
  expect((await fetched()).last_fetch).toMatchObject({ ok: true, items: { new: 1 } });
});
