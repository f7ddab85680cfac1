import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, eventsApi } from '@muster/contracts';
import { problemOf, startTestService, type TestService } from '@muster/testing';
import { v7 } from 'uuid';
import { securityOps } from '../src/service.ts';
import { deliver, deliverBytes, nativeEvent } from './deliveries.ts';

let service: TestService;
let events: Client<typeof eventsApi>;

beforeAll(async () => {
  service = await startTestService(securityOps);
  events = service.client(eventsApi);
});
afterAll(async () => service.stop());

describe('one event', () => {
  test('is stored with what was understood of it, and read back alone', async () => {
    const created = await events.ingestEvents({
      body: nativeEvent({
        external_id: 'one-1',
        users: ['CORP\\a.meier'],
        indicators: [
          'hxxps://evil[.]example/a',
          '203.0.113[.]7',
          { type: 'domain', value: 'Updates.Example' },
        ],
        raw: { 'rule.id': 4711, nested: [{ a: null }] },
      }),
    });
    expect(created.status).toBe(201);
    const { body } = await events.getEvent({ params: { id: (created.body as { id: string }).id } });
    expect(created.headers.get('location')).toBe(`/api/events/${body.id}/`);
    expect(created.body).toEqual(body);
    expect(body).toMatchObject({
      status: 'new',
      format: 'native',
      external_id: 'one-1',
      indicators: [
        { type: 'url', value: 'https://evil.example/a' },
        { type: 'ipv4', value: '203.0.113.7' },
        { type: 'domain', value: 'updates.example' },
      ],
      raw: { 'rule.id': 4711, nested: [{ a: null }] },
      triage: null,
    });
    expect(body.occurred_at).toBe(body.received_at);
  });

  test('answers the first when it comes again, whatever it says now', async () => {
    const first = await deliver(events, nativeEvent({ external_id: 'twice' }));
    const again = await events.ingestEvents({ body: nativeEvent({ external_id: 'twice', title: 'Other' }) });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first);
    const elsewhere = await events.ingestEvents({
      body: nativeEvent({ external_id: 'twice', source: 'siem' }),
    });
    expect(elsewhere.status).toBe(201);
  });

  test('without an id is known by its content, in whatever order its keys come', async () => {
    const first = await deliver(events, nativeEvent({ title: 'Without an id', raw: { a: 1, b: 2 } }));
    expect(first.external_id).toMatch(/^sha256:[0-9a-f]{64}$/);
    const turned = Object.fromEntries(
      Object.entries(nativeEvent({ title: 'Without an id', raw: { b: 2, a: 1 } })).reverse(),
    );
    expect((await events.ingestEvents({ body: turned })).body).toMatchObject({ id: first.id });
    const other = await deliver(events, nativeEvent({ title: 'Without an id', raw: { a: 1, b: 3 } }));
    expect(other.id).not.toBe(first.id);
  });

  test.each<[string, string | object, number, string]>([
    ['no JSON', '{"title": "x"', 400, ''],
    ['nothing', '', 422, ''],
    ['no title', { severity: 'low' }, 422, '/title'],
    ['an unknown field', { title: 'x', sverity: 'low' }, 422, '/sverity'],
    ['an unknown severity', { title: 'x', severity: 'awful' }, 422, '/severity'],
    ['a time in the year 9999', { title: 'x', occurred_at: '9999-12-31T23:59:59Z' }, 422, '/occurred_at'],
    [
      'a time before there were alerts',
      { title: 'x', occurred_at: '0001-01-01T00:00:00Z' },
      422,
      '/occurred_at',
    ],
    ['a day that is none', { title: 'x', occurred_at: '2026-02-30T00:00:00Z' }, 422, '/occurred_at'],
    ['a query operator', { title: 'x', raw: { $where: 'sleep(1000)' } }, 422, '/raw/$where'],
    ['a way into a prototype', '{"title":"x","raw":{"a":{"__proto__":{"b":1}}}}', 422, '/raw/a/__proto__'],
    ['an operator in disguise', '{"title":"x","raw":{"\\u0024gt":1}}', 422, '/raw/$gt'],
    ['a title without end', { title: 'x'.repeat(501) }, 422, '/title'],
    ['too much of it', { title: 'x', raw: 'x'.repeat(64 * 1024) }, 422, '/raw'],
    ['a technique that is none', { title: 'x', techniques: ['1059'] }, 422, '/techniques/0'],
    ['nesting without end', `{"title":"x","raw":${'['.repeat(5000)}${']'.repeat(5000)}}`, 422, ''],
    ['only a number', '7', 422, ''],
  ])('is refused with %s', async (_what, sent, status, path) => {
    const rawBody = typeof sent === 'string' ? sent : JSON.stringify(sent);
    const headers = { 'content-type': 'application/json' };
    const before = (await events.listEvents()).body.total;
    const { problem } = await problemOf(events.ingestEvents({ body: '' }, { rawBody, headers }));
    expect(problem.status).toBe(status);
    if (path !== '') expect(problem.errors?.map((error) => error.path)).toEqual([path]);
    expect((await events.listEvents()).body.total).toBe(before);
  });
});

describe('the list', () => {
  const source = 'list-source';
  const listed = [
    {
      title: 'Phishing mail reported',
      severity: 'low',
      users: ['b.huber@example.org'],
      techniques: ['T1566.001'],
    },
    {
      title: 'Credential dump on DC-01',
      severity: 'critical',
      assets: [{ name: 'dc-01.example.org' }],
      techniques: ['T1003'],
    },
    { title: 'Beacon', severity: 'high', indicators: ['198.51.100.77'], occurred_at: '2026-01-15T10:00:00Z' },
  ] as const;

  beforeAll(async () => {
    for (const [at, one] of listed.entries())
      await deliver(events, { ...structuredClone(one), source, external_id: `l-${at}` } as never);
  });

  const titles = async (query: Parameters<typeof events.listEvents>[0]) =>
    (await events.listEvents(query)).body.items.map(({ title }) => title);

  test('is newest first, in pages that neither miss nor repeat', async () => {
    const query = { source, limit: 2 };
    const { body: first } = await events.listEvents({ query });
    expect(first).toMatchObject({ total: 3, items: [{ title: 'Beacon' }, { severity: 'critical' }] });
    const { body: second } = await events.listEvents({
      query: { ...query, cursor: first.next_cursor ?? '' },
    });
    expect(second).toMatchObject({ total: 3, items: [{ severity: 'low' }], next_cursor: null });
    expect(first.items[0]).not.toHaveProperty('raw');
  });

  test.each<[string, object, string[]]>([
    ['severity', { severity: 'critical' }, ['Credential dump on DC-01']],
    ['a technique', { technique: 'T1003' }, ['Credential dump on DC-01']],
    ['a technique above the one it has', { technique: 'T1566' }, ['Phishing mail reported']],
    ['words of the title, in any case', { q: 'DUMP credential' }, ['Credential dump on DC-01']],
    ['a host without its domain', { q: 'dc-01' }, ['Credential dump on DC-01']],
    ['a user', { q: 'b.huber' }, ['Phishing mail reported']],
    ['an indicator', { q: '198.51.100.77' }, ['Beacon']],
    ['half a word', { q: 'beac' }, []],
    ['no word at all', { q: '%' }, []],
    ['words of two events', { q: 'beacon phishing' }, []],
    ['an early time', { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }, ['Beacon']],
    ['a status that none has', { status: 'closed' }, []],
  ])('is narrowed down by %s', async (_by, query, expected) => {
    expect(await titles({ query: { source, ...query } })).toEqual(expected);
  });

  test('takes text for what it is, not for an expression', async () => {
    expect(await titles({ query: { source: '.*' } })).toEqual([]);
    expect(await titles({ query: { source, q: '.* $ne' } })).toEqual([]);
  });

  test('refuses a filter that does not exist', async () => {
    const wrong = events.listEvents({ query: { severity: 'awful' as never } });
    expect((await problemOf(wrong)).problem.errors).toMatchObject([{ path: '/severity', in: 'query' }]);
  });
});

describe('the status', () => {
  test('moves forwards, and a stale or impossible move is refused', async () => {
    const { id } = await deliver(events, nativeEvent({ external_id: 'moving' }));
    const params = { id };
    const moved = await events.updateEvent({ params, body: { status: 'in_progress' } });
    expect(moved.body.status).toBe('in_progress');
    expect(moved.headers.get('etag')).toBe('"2"');

    const stale = events.updateEvent(
      { params, body: { status: 'closed' } },
      { headers: { 'if-match': '"1"' } },
    );
    expect((await problemOf(stale)).status).toBe(412);
    const back = await problemOf(events.updateEvent({ params, body: { status: 'new' } }));
    expect(back.status).toBe(409);
    expect(back.problem.detail).toBe(
      'An event that is in_progress cannot become new, only resolved or closed.',
    );
    const same = await events.updateEvent({ params, body: { status: 'in_progress' } });
    expect(same.headers.get('etag')).toBe('"2"');

    await events.updateEvent({ params, body: { status: 'closed' } }, { headers: { 'if-match': '"2"' } });
    const again = await events.updateEvent({ params, body: { status: 'in_progress' } });
    expect(again.body.status).toBe('in_progress');
  });

  test('of two moves at once that exclude each other, one is made', async () => {
    const { id } = await deliver(events, nativeEvent({ external_id: 'raced' }));
    const move = (status: 'triaged' | 'closed') => events.updateEvent({ params: { id }, body: { status } });
    const outcomes = await Promise.allSettled([move('triaged'), move('closed')]);
    const { body } = await events.getEvent({ params: { id } });
    expect(body.status).toBe('closed');
    expect(outcomes[1].status).toBe('fulfilled');
  });
});

test('of another organization, an event is not there', async () => {
  const { id } = await deliver(events, nativeEvent({ external_id: 'mine' }));
  const stranger = service.client(eventsApi, service.tokens.sign({ org: v7(), sub: v7() }));
  expect((await problemOf(stranger.getEvent({ params: { id } }))).status).toBe(404);
  const move = stranger.updateEvent({ params: { id }, body: { status: 'closed' } });
  expect((await problemOf(move)).status).toBe(404);
  expect((await stranger.listEvents()).body).toMatchObject({ items: [], total: 0 });
  const own = await stranger.ingestEvents({ body: nativeEvent({ external_id: 'mine' }) });
  expect(own.status).toBe(201);
});

test('who may read may not write, and a token of Splunk is one of ours', async () => {
  const reader = service.client(eventsApi, service.tokens.sign({ role: 'viewer' }));
  expect((await reader.listEvents()).status).toBe(200);
  expect((await problemOf(reader.ingestEvents({ body: nativeEvent() }))).status).toBe(403);
  const narrow = service.tokens.sign({ kind: 'api_token', scopes: ['events:write'] });
  const headers = { authorization: `Splunk ${narrow}`, 'content-type': 'application/json' };
  const body = JSON.stringify(nativeEvent({ external_id: 'by-splunk' }));
  const sent = await fetch(`${service.url}/api/events/`, { method: 'POST', headers, body });
  expect(sent.status).toBe(201);
  expect((await fetch(`${service.url}/api/events/`, { headers })).status).toBe(403);
});

test('a line of CEF or a foreign alert is one event too', async () => {
  const alert = {
    type: 'phishing',
    source: 'mailbox',
    sourceRef: 'r-1',
    title: 'Reported mail',
    severity: 3,
  };
  const { body } = await events.ingestEvents({ body: alert });
  expect(body).toMatchObject({ format: 'thehive', severity: 'high', external_id: 'r-1', raw: alert });
  const forced = await problemOf(events.ingestEvents({ body: alert, query: { format: 'native' } }));
  expect(forced.problem.errors?.map(({ path }) => path)).toContain('/sourceRef');
  const lines = 'CEF:0|Acme|Wall|1|100|Port scan|5|src=203.0.113.9 externalId=77\n';
  expect(await deliverBytes(events, lines, 'text/plain')).toMatchObject({ accepted: 1, rejected: [] });
});
