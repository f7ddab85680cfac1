import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Client, type Feed, type FeedInput, feedsApi, intelItemsApi } from '@muster/contracts';
import { DEMO_ORGANIZATION, keyRing, seal } from '@muster/service-kit';
import { eventually, problemOf, startTestService, type TestService } from '@muster/testing';
import { v7 } from 'uuid';
import { intel } from '../src/service.ts';
import { misp, type Source, startSource } from './source.fixture.ts';

const ORG = DEMO_ORGANIZATION.id;
const OLD_KEY = `older:${randomBytes(32).toString('base64')}`;
const MINUTE_MS = 60_000;
let source: Source;
let service: TestService;
let feeds: Client<typeof feedsApi>;
beforeAll(async () => {
  source = await startSource();
  service = await startTestService(intel, {
    MUSTER_INTEL_ALLOW: source.host,
    KEY_ENCRYPTION_KEY: `newer:${randomBytes(32).toString('base64')},${OLD_KEY}`,
  });
  feeds = service.client(feedsApi);
});
afterAll(async () => {
  await service?.stop();
  await source?.stop();
});

let word = '';
beforeEach(() => {
  word = `report ${v7().replaceAll(/[^a-f]/g, 'x')}`;
  source.asked.length = 0;
  source.answer = { body: misp([`First ${word}`, `Second ${word}`]) };
});
afterEach(async () => {
  const { body } = await feeds.listFeeds();
  for (const { id } of body.items) await feeds.removeFeed({ params: { id } });
});

const add = async (more: Partial<FeedInput> = {}) =>
  (await feeds.createFeed({ body: { url: source.url, ...more } })).body;
const read = async (id: string) => (await feeds.getFeed({ params: { id } })).body;
const fetched = async (id: string) => (await feeds.fetchFeed({ params: { id } })).body as Feed;
const onceRead = (id: string, seen?: string) =>
  eventually(async () => {
    const feed = await read(id);
    expect(feed.last_fetch?.at ?? seen).not.toBe(seen);
    return feed;
  });
const itemsOf = async (q: string) =>
  (await service.client(intelItemsApi).listIntel({ query: { q } })).body.items;
const schedules = () => service.runtime.connection.collection<{ _id: string }>('schedules');
const scheduleOf = (id: string) => schedules().findOne({ _id: `${ORG}/feed/${id}` });
const minutesUntil = (time: string | null) => (Date.parse(time ?? '') - Date.now()) / MINUTE_MS;

describe('a feed', () => {
  test('is read at once, and again when its time has come', async () => {
    const made = await add({ every_minutes: 60, tags: ['partner'], tlp: 'green' });
    expect(made).toMatchObject({ name: source.host, status: 'waiting', last_fetch: null, auth: null });
    expect(minutesUntil(made.next_fetch_at)).toBeGreaterThan(56);
    const feed = await onceRead(made.id);
    expect(feed).toMatchObject({
      status: 'ok',
      notice: null,
      consecutive_failures: 0,
      last_fetch: { ok: true, unchanged: false, items: { new: 2, updated: 0, known: 0 }, error: null },
    });
    expect(await itemsOf(word)).toMatchObject([
      ...[
        { tags: ['partner'], tlp: 'green' },
        { tags: ['partner'], tlp: 'green' },
      ],
    ]);
    source.answer = { body: misp([`First ${word}`, `Second ${word}`, `Third ${word}`]) };
    await schedules().updateOne({ _id: `${ORG}/feed/${made.id}` }, { $set: { next_run_at: new Date() } });
    const again = await eventually(async () => {
      const now = await read(made.id);
      expect(now.last_fetch?.items).toEqual({ new: 1, updated: 0, known: 2 });
      return now;
    }, 45_000);
    expect(minutesUntil(again.next_fetch_at)).toBeGreaterThan(56);
  }, 60_000);

  test('is asked only for what is newer, once it held nothing new', async () => {
    source.answer = { ...source.answer, etag: '"one"' };
    const { id } = await add();
    await onceRead(id);
    expect((await fetched(id)).last_fetch).toMatchObject({ ok: true, unchanged: false, items: { known: 2 } });
    source.asked.length = 0;
    expect((await fetched(id)).last_fetch).toMatchObject({ ok: true, unchanged: true, items: { known: 0 } });
    expect(source.asked.map(({ method }) => method)).toEqual(['HEAD']);
    source.answer = { body: misp([`Third ${word}`]), etag: '"two"' };
    expect((await fetched(id)).last_fetch).toMatchObject({ unchanged: false, items: { new: 1 } });
  });

  test('whose source knows no conditional requests is read all the same', async () => {
    source.answer = { ...source.answer, headless: true };
    const { id } = await add();
    expect((await onceRead(id)).last_fetch).toMatchObject({ ok: true, items: { new: 2 } });
  });

  test('that fails says so and is read ever more rarely, and at its pace again once it answers', async () => {
    source.answer = { status: 500 };
    const { id } = await add({ every_minutes: 360 });
    const first = await onceRead(id);
    expect(first).toMatchObject({ status: 'failing', consecutive_failures: 1, last_success_at: null });
    expect(first.last_fetch).toMatchObject({ ok: false, error: expect.stringContaining('500') });
    expect(first.notice).toContain('every 12 hours');
    expect(minutesUntil(first.next_fetch_at)).toBeGreaterThan(600);
    const second = await fetched(id);
    const third = await fetched(id);
    expect([second.consecutive_failures, third.consecutive_failures]).toEqual([2, 3]);
    expect(minutesUntil(third.next_fetch_at)).toBeGreaterThan(1_300);
    expect(minutesUntil(third.next_fetch_at)).toBeLessThan(1_520);
    expect(await scheduleOf(id)).toMatchObject({ every_minutes: 1440 });
    source.answer = { body: misp([`First ${word}`]) };
    const mended = await fetched(id);
    expect(mended).toMatchObject({ status: 'ok', notice: null, consecutive_failures: 0 });
    expect(minutesUntil(mended.next_fetch_at)).toBeLessThan(380);
  });

  test('that holds something else than was expected fails', async () => {
    const { id } = await add({ format: 'stix' });
    const { last_fetch } = await onceRead(id);
    expect(last_fetch?.error).toBe('The source holds misp where stix was expected.');
    expect(await itemsOf(word)).toEqual([]);
  });
});

describe('credentials', () => {
  test('go to the source, and are neither shown nor stored in the clear', async () => {
    const auth = { type: 'basic' as const, username: 'reader', password: 'pass:wörd' };
    const made = await add({ auth });
    expect(made.auth).toEqual({ type: 'basic', username: 'reader' });
    await onceRead(made.id);
    const expected = `Basic ${Buffer.from('reader:pass:wörd').toString('base64')}`;
    expect(new Set(source.asked.map(({ headers }) => headers.authorization))).toEqual(new Set([expected]));
    const row = await service.runtime.connection.collection('intel_feeds').findOne({ org_id: ORG });
    expect(JSON.stringify(row)).not.toContain('wörd');
    source.asked.length = 0;
    const params = { id: made.id };
    const { body } = await feeds.changeFeed({ params, body: { auth: { type: 'bearer', token: 't0ken' } } });
    expect(body.auth).toEqual({ type: 'bearer', username: null });
    await eventually(() => expect(source.asked.at(-1)?.headers.authorization).toBe('Bearer t0ken'));
    source.asked.length = 0;
    await feeds.changeFeed({ params, body: { auth: null } });
    // What was under way may still ask once with the old ones.
    await eventually(() => {
      expect(source.asked.length).toBeGreaterThan(0);
      expect(source.asked.at(-1)?.headers.authorization).toBeUndefined();
    });
  });

  test('of an older key are read, and wrapped by the newest one; those whose key is gone are asked for again', async () => {
    const { id } = await add({ auth: { type: 'bearer', token: 'unused' } });
    await onceRead(id);
    const rows = service.runtime.connection.collection<{ _id: string }>('intel_feeds');
    const own = { _id: id, org_id: ORG };
    const sealedBy = (ring: string) =>
      rows.updateOne(own, {
        $set: { 'auth.secret': seal(keyRing(ring), `${ORG}/feeds/${id}.auth`, 't0ken') } as object,
      });
    await sealedBy(OLD_KEY);
    await fetched(id);
    expect(source.asked.at(-1)?.headers.authorization).toBe('Bearer t0ken');
    expect(await rows.findOne(own)).toMatchObject({ auth: { secret: { key_id: 'newer' } } });
    await sealedBy(`gone:${randomBytes(32).toString('base64')}`);
    expect((await fetched(id)).last_fetch?.error).toContain('send them again');
  });

  test('do not follow a feed to another host unless they are sent', async () => {
    const { id } = await add({ auth: { type: 'bearer', token: 't0ken' } });
    const elsewhere = { params: { id }, body: { url: 'https://feeds.example.org/all.xml' } };
    const { status, problem } = await problemOf(feeds.changeFeed(elsewhere));
    expect([status, problem.errors?.[0]?.path]).toEqual([422, '/auth']);
    expect((await read(id)).url).toBe(source.url);
  });
});

describe('who changes a feed', () => {
  test('disables it, and it is not read until it is enabled again', async () => {
    const { id } = await add();
    await onceRead(id);
    const { body } = await feeds.changeFeed({ params: { id }, body: { enabled: false } });
    expect(body).toMatchObject({ status: 'disabled', next_fetch_at: null });
    expect(await scheduleOf(id)).toMatchObject({ paused: true });
    const enabled = await feeds.changeFeed({ params: { id }, body: { enabled: true, every_minutes: 30 } });
    expect(minutesUntil(enabled.body.next_fetch_at)).toBeLessThan(32);
    expect(await scheduleOf(id)).toMatchObject({ paused: false, every_minutes: 30 });
  });

  test('removes it: it is not read any more, what was read stays', async () => {
    const { id } = await add();
    await onceRead(id);
    expect((await feeds.removeFeed({ params: { id } })).status).toBe(204);
    expect(await problemOf(feeds.getFeed({ params: { id } }))).toMatchObject({ status: 404 });
    expect(await problemOf(feeds.fetchFeed({ params: { id } }))).toMatchObject({ status: 404 });
    expect(await scheduleOf(id)).toBeNull();
    expect(await itemsOf(word)).toHaveLength(2);
  });

  test('is told what does not go: addresses inside, too often, twice the same', async () => {
    const refused: [Partial<FeedInput>, number, string][] = [
      [{ url: 'https://169.254.169.254/latest' }, 422, 'url-not-allowed'],
      [{ url: 'http://feeds.example.org/all.xml' }, 422, 'url-not-allowed'],
      [{ url: 'https://reader:secret@feeds.example.org/' }, 422, 'url-not-allowed'],
      [{ every_minutes: 14 }, 422, 'validation-failed'],
    ];
    for (const [input, status, code] of refused) {
      const { status: answered, problem } = await problemOf(
        feeds.createFeed({ body: { url: source.url, ...input } }),
      );
      expect([input, answered, problem.type]).toEqual([input, status, `urn:muster:problem:${code}`]);
    }
    await add();
    expect(await problemOf(feeds.createFeed({ body: { url: source.url } }))).toMatchObject({ status: 409 });
    expect((await feeds.listFeeds()).body.total).toBe(1);
  });

  test('belongs to the organization, and may', async () => {
    const { id } = await add();
    const org = '01900000-0000-7000-8000-00000000000b';
    const other = service.client(feedsApi, service.tokens.sign({ org }));
    expect(await problemOf(other.getFeed({ params: { id } }))).toMatchObject({ status: 404 });
    expect(await problemOf(other.removeFeed({ params: { id } }))).toMatchObject({ status: 404 });
    const member = service.client(feedsApi, service.tokens.sign({ role: 'member' }));
    expect((await member.getFeed({ params: { id } })).body.id).toBe(id);
    expect(await problemOf(member.fetchFeed({ params: { id } }))).toMatchObject({ status: 403 });
  });
});
