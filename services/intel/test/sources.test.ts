import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, type IntelItemDetail, intelItemsApi } from '@muster/contracts';
import { startTestService, type TestService } from '@muster/testing';
import { intel } from '../src/service.ts';
import { article, startWeb, type Web } from './web.fixture.ts';

let web: Web;
let service: TestService;
let client: Client<typeof intelItemsApi>;
beforeAll(async () => {
  web = await startWeb();
  service = await startTestService(intel, { MUSTER_INTEL_ALLOW: web.host });
  client = service.client(intelItemsApi);
});
afterAll(async () => {
  await service.stop();
  await web.stop();
});

async function ingest(url: string) {
  const { status, body } = await client.ingestIntel({ body: { url } });
  return { status, body: body as IntelItemDetail };
}
const read = async (id: string) => (await client.getIntel({ params: { id } })).body;

describe('an article', () => {
  test('is read without what stands around it', async () => {
    const { status, body } = await ingest(
      web.set(
        '/one',
        article(
          'Akira is back',
          'The Akira ransomware group encrypted files on the servers of two hospitals last week.\nIt contacted harbour-panel[.]com.',
        ),
      ),
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      format: 'html',
      url: web.at('/one'),
      title: 'Akira is back',
      publisher: 'Example News',
      published_at: '2026-02-03T08:00:00.000Z',
      tlp: 'clear',
      actors: ['Akira'],
    });
    expect(body.text).not.toContain('Home');
  });

  test('is one item by all its addresses, and a new version when it changes', async () => {
    const first = await ingest(
      web.set('/two', article('Second story', 'APT28 sent phishing emails to several ministries.')),
    );
    web.set(
      '/two?utm_source=mail',
      article('Second story', 'APT28 sent phishing emails to several ministries.'),
    );
    const again = await ingest(`${web.at('/two?utm_source=mail')}#part`);
    expect([again.status, again.body.id, again.body.version]).toEqual([200, first.body.id, 1]);
    web.set(
      '/two',
      article('Second story', 'APT28 sent phishing emails to several ministries. They ran Mimikatz.'),
    );
    const changed = await ingest(web.at('/two'));
    expect([changed.status, changed.body.id, changed.body.version, changed.body.tools]).toEqual([
      200,
      first.body.id,
      2,
      ['Mimikatz'],
    ]);
  });

  test('that stands at two addresses is one item', async () => {
    const page = article('Third story', 'Sandworm Team attacked an electricity operator with CaddyWiper.');
    const first = await ingest(web.set('/three', page));
    const second = await ingest(web.set('/copy-of-three', page));
    expect([second.status, second.body.id]).toEqual([200, first.body.id]);
  });

  test('is found behind a redirect', async () => {
    web.set('/short', (_request, response) => void response.writeHead(302, { location: '/one' }).end());
    expect((await ingest(web.at('/short'))).body).toMatchObject({
      url: web.at('/one'),
      title: 'Akira is back',
    });
  });

  test('is asked for many times at once and kept once', async () => {
    const url = web.set(
      '/race',
      article('Racing story', 'Emotet dropped TrickBot in a new campaign against banks.'),
    );
    const all = await Promise.all(Array.from({ length: 6 }, () => ingest(url)));
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test.each([
    ['windows-1251', 'text/html; charset=windows-1251', Buffer.from('cff0e8e2e5f2', 'hex'), 'Привет'],
    ['shift_jis', 'text/html; charset=shift_jis', Buffer.from('93fa967b', 'hex'), '日本'],
    ['windows-1252 that nobody names', 'text/html', Buffer.from('5afc72696368', 'hex'), 'Zürich'],
  ])('is text in %s', async (name, type, word, wanted) => {
    const page = Buffer.concat([
      Buffer.from(`<html><body><article><h1>Charset ${name}</h1><p>`),
      word,
      Buffer.from(' was hit by phishing.</p></article></body></html>'),
    ]);
    expect((await ingest(web.set(`/charset-${name.replaceAll(' ', '-')}`, page, type))).body.text).toContain(
      wanted,
    );
  });
});

describe('a feed', () => {
  const item = (title: string, link: string, day: number) =>
    `<item><title>${title}</title><link>${link}</link><pubDate>0${day} Mar 2026 10:00:00 GMT</pubDate><description>Short words on ${title}.</description></item>`;
  const rss = (...items: string[]) =>
    `<rss version="2.0"><channel><title>Feed News</title>${items.join('')}</channel></rss>`;

  test('is an item for each entry; the newest answers', async () => {
    const url = web.set(
      '/feed.xml',
      rss(item('Old entry', '/entries/1', 1), item('New entry', '/entries/2', 2)),
      'application/rss+xml',
    );
    const { status, body } = await ingest(url);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      format: 'rss',
      title: 'New entry',
      url: web.at('/entries/2'),
      publisher: 'Feed News',
    });
    expect(body.related).toHaveLength(1);
    web.set(
      '/feed.xml',
      rss(item('Newest entry', '/entries/3', 3), item('New entry', '/entries/2', 2)),
      'application/rss+xml',
    );
    const later = await ingest(url);
    expect([later.status, later.body.title, later.body.related]).toEqual([201, 'Newest entry', [body.id]]);
  });

  test('does not replace the article that was read in full', async () => {
    const full = await ingest(
      web.set(
        '/entries/full',
        article('Full entry', 'FIN7 sent spearphishing attachments to restaurants and hotels.'),
      ),
    );
    const { body } = await ingest(
      web.set('/feed2.xml', rss(item('Full entry', '/entries/full', 1)), 'application/rss+xml'),
    );
    expect(body).toMatchObject({ id: full.body.id, format: 'html', version: 1 });
    expect(body.text).toContain('restaurants');
  });

  test('of one entry does not become that entry', async () => {
    const url = web.set('/single.xml', rss(item('Single one', '/single/1', 1)), 'application/rss+xml');
    const first = await ingest(url);
    web.set('/single.xml', rss(item('Single two', '/single/2', 2)), 'application/rss+xml');
    const second = await ingest(url);
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
  });
});

describe('a TAXII 2.1 collection', () => {
  const TAXII = 'application/taxii+json;version=2.1';
  const report = (digit: number) => ({
    type: 'report',
    spec_version: '2.1',
    id: `report--00000000-0000-4000-8000-00000000000${digit}`,
    name: `Collected ${digit}`,
    published: `2026-01-0${digit}T00:00:00Z`,
    object_refs: [],
  });

  test('is read page by page, with its media type', async () => {
    const path = '/api1/collections/c1/objects/';
    web.set(path, JSON.stringify({ more: true, next: 'two', objects: [report(1), report(2)] }), TAXII);
    web.set(`${path}?next=two`, JSON.stringify({ more: false, objects: [report(3)] }), TAXII);
    const { body } = await ingest(web.at('/api1/collections/c1/'));
    expect(body).toMatchObject({ format: 'stix', title: 'Collected 3' });
    expect(body.related).toHaveLength(2);
    expect(web.asked.filter((one) => one.path.startsWith(path)).map(({ accept }) => accept)).toEqual([
      TAXII,
      TAXII,
    ]);
  });

  test('that never ends is left', async () => {
    const path = '/api1/collections/endless/objects/';
    web.set(path, JSON.stringify({ more: true, next: 'n', objects: [report(4)] }), TAXII);
    web.set(`${path}?next=n`, JSON.stringify({ more: true, next: 'n', objects: [report(4)] }), TAXII);
    const { body } = await ingest(web.at(path));
    expect(body.notes[0]).toContain('goes on after 2 objects');
  });
});

test('a MISP feed is read in goes, the latest events first, and only what is new or changed', async () => {
  const uuid = (digit: number) => `5f1c9a3e-1111-4222-8333-9444555566${String(digit).padStart(2, '0')}`;
  const manifest = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        uuid(index),
        { timestamp: String(1_700_000_000 + index), info: `Event ${index}` },
      ]),
    );
  for (let index = 0; index < 30; index += 1)
    web.set(
      `/misp/${uuid(index)}.json`,
      JSON.stringify({
        Event: {
          uuid: uuid(index),
          info: `Event ${index}`,
          date: '2026-01-01',
          timestamp: String(1_700_000_000 + index),
          threat_level_id: '2',
          Attribute: [],
        },
      }),
      'application/json',
    );
  const url = web.set('/misp/manifest.json', JSON.stringify(manifest(30)), 'application/json');
  const first = await ingest(url);
  expect(first.body).toMatchObject({ format: 'misp', title: 'Event 29', severity: 'medium' });
  expect(first.body.related).toHaveLength(24);
  expect(first.body.notes).toEqual(['5 events of the feed are still to be read: read it again to go on.']);
  const asked = web.asked.length;
  const second = await ingest(url);
  expect([second.body.title, second.body.related.length]).toEqual(['Event 4', 4]);
  expect(web.asked.length - asked).toBe(6);
  const third = await ingest(url);
  expect([third.status, third.body.title]).toEqual([200, 'Event 29']);
});

test('the KEV catalogue grows in one item', async () => {
  const entry = (cveID: string) => ({
    cveID,
    vendorProject: 'V',
    product: 'P',
    vulnerabilityName: 'N',
    dateAdded: '2026-01-01',
    dueDate: '2026-02-01',
    knownRansomwareCampaignUse: 'Known',
  });
  const catalogue = (version: string, ...cves: string[]) =>
    JSON.stringify({
      title: 'KEV',
      catalogVersion: version,
      dateReleased: '2026-01-01T00:00:00Z',
      vulnerabilities: cves.map(entry),
    });
  const url = web.set('/kev.json', catalogue('1', 'CVE-2024-1111'), 'application/json');
  const first = await ingest(url);
  web.set('/kev.json', catalogue('2', 'CVE-2024-1111', 'CVE-2024-2222'), 'application/json');
  const second = await ingest(url);
  expect([second.status, second.body.id, second.body.version, second.body.cves.length]).toEqual([
    200,
    first.body.id,
    2,
    2,
  ]);
  expect((await read(first.body.id)).severity).toBe('critical');
});
