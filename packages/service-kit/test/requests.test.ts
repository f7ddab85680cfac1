import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, TEST_SECRET, type TestClaims } from '@muster/testing';
import { v7 } from 'uuid';
import { gatewayProofs, PROOF_HEADER } from '../src/index.ts';
import { gate, type Note, next, seen } from './notes.fixture.ts';
import { type Answer, ask, type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
let note: Answer<Note>;
beforeAll(async () => {
  service = await startNotes();
  note = await ask<Note>(service, 'POST /api/notes/', { json: { text: 'read me' } });
});
afterAll(async () => {
  await service?.stop();
});

const path = () => `/api/notes/${note.body.id}/`;
const stored = () => service.database.collection('notes').countDocuments();

describe('a reading request', () => {
  test('tells the version, which a new resource told as well', async () => {
    const { status, headers, body } = await ask(service, `GET ${path()}`);
    expect([status, headers.get('etag'), note.headers.get('etag')]).toEqual([200, '"1"', '"1"']);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(body).toEqual(note.body);
  });

  test.each(['"1"', 'W/"1"', '"0", "1"', '*'])(
    'with If-None-Match %s is not sent it again',
    async (known) => {
      const answer = await ask(service, `GET ${path()}`, { headers: { 'if-none-match': known } });
      expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([304, '', '"1"']);
    },
  );

  test('with another version in If-None-Match is sent it', async () => {
    const answer = await ask(service, `GET ${path()}`, { headers: { 'if-none-match': '"0"' } });
    expect([answer.status, answer.body]).toEqual([200, note.body]);
  });

  test('that asks for the head gets what a GET would, without the body', async () => {
    const whole = await ask(service, `GET ${path()}`);
    const head = await ask(service, `HEAD ${path()}`);
    expect([head.status, head.body]).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'content-length'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
  });

  test('with a body is refused', async () => {
    const json = JSON.stringify({ a: 1 });
    const answer = await raw(`GET ${path()} HTTP/1.1\r\nContent-Length: ${json.length}`, json);
    expect(answer).toMatch(/^HTTP\/1.1 422 /);
  });
});

describe('a change', () => {
  const put = (headers: Record<string, string>, text = 'changed') =>
    ask<Note>(service, `PUT ${path()}`, { json: { text }, headers });

  test('of what was read is made, and gives the next version', async () => {
    const changed = await put({ 'if-match': '"1"' });
    expect([changed.status, changed.headers.get('etag'), changed.body.version]).toEqual([200, '"2"', 2]);
  });

  test('of what has changed since is refused and changes nothing', async () => {
    const refused = await put({ 'if-match': '"1"' }, 'too late');
    expect([refused.status, refused.body]).toMatchObject([
      412,
      { type: 'urn:muster:problem:precondition-failed' },
    ]);
    expect((await ask(service, `GET ${path()}`)).body).toMatchObject({ text: 'changed', version: 2 });
  });

  test.each(['*', '"1", "2"'])('with If-Match %s is made', async (known) => {
    await put({}, 'back');
    const { version } = (await ask<Note>(service, `GET ${path()}`)).body;
    expect((await put({ 'if-match': known === '*' ? known : `"x", "${version}"` })).status).toBe(200);
  });

  test('is never answered with a 304, which would hide that it was made', async () => {
    const { headers } = await ask(service, `GET ${path()}`);
    const version = Number(headers.get('etag')?.replaceAll('"', ''));
    const changed = await put({ 'if-none-match': `"${version + 1}"` });
    expect([changed.status, changed.body.version]).toEqual([200, version + 1]);
  });

  test('that leaves nothing to show is answered with nothing', async () => {
    const { body } = await ask<Note>(service, 'POST /api/notes/', { json: { text: 'short-lived' } });
    const dropped = await ask(service, `DELETE /api/notes/${body.id}/`);
    expect([dropped.status, dropped.body]).toEqual([204, '']);
    expect((await ask(service, `GET /api/notes/${body.id}/`)).status).toBe(404);
  });
});

describe('a body', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const send = (body: RequestInit['body'], headers: Record<string, string> = JSON_TYPE) =>
    ask(service, 'POST /api/notes/', { body, headers });
  const ofBytes = (bytes: number) => JSON.stringify({ text: 'x' }).padEnd(bytes, ' ');
  const zipped = (text: string) => new Uint8Array(gzipSync(text));
  const GZIP = { ...JSON_TYPE, 'content-encoding': 'gzip' };

  test.each([
    ['of as many bytes as are allowed', () => send(ofBytes(1000))],
    ['with a byte order mark', () => send(`\uFEFF{"text":"x"}`)],
    ['of a JSON subtype', () => send('{"text":"x"}', { 'content-type': 'application/vnd.a+json' })],
    ['with a charset', () => send('{"text":"x"}', { 'content-type': 'application/json; charset=utf-8' })],
    ['that is compressed', () => send(zipped('{"text":"x"}'), GZIP)],
  ])('%s is taken', async (_what, call) => {
    expect((await call()).status).toBe(201);
  });

  test.each([
    ['of one byte more', 413, 'too-large', () => send(ofBytes(1001))],
    ['that unfolds to too much', 413, 'too-large', () => send(zipped(ofBytes(5_000_000)), GZIP)],
    ['that is cut off', 400, 'malformed-json', () => send('{"text":')],
    ['that is not UTF-8', 400, 'malformed-json', () => send(Uint8Array.of(0x22, 0xff, 0x22))],
    ['that only claims to be compressed', 400, 'malformed-header', () => send('{"text":"x"}', GZIP)],
    [
      'in an unknown encoding',
      415,
      'unsupported-media-type',
      () => send('x', { ...JSON_TYPE, 'content-encoding': 'rot13' }),
    ],
    ['of another type', 415, 'unsupported-media-type', () => send('a', { 'content-type': 'text/plain' })],
    ['that is absent', 422, 'validation-failed', () => ask(service, 'POST /api/notes/')],
    ['with an own __proto__', 422, 'validation-failed', () => send('{"text":"x","__proto__":{}}')],
    ['with an operator', 422, 'validation-failed', () => send('{"text":{"$gt":""}}')],
    ['nested without end', 422, 'validation-failed', () => send(`${'['.repeat(499)}${']'.repeat(499)}`)],
    ['with what the server sets', 422, 'validation-failed', () => send('{"text":"x","org_id":"y"}')],
  ])('%s is a %i %s and leaves nothing', async (_what, status, slug, call) => {
    const before = await stored();
    const answer = await call();
    expect([answer.status, answer.body.type]).toEqual([status, `urn:muster:problem:${slug}`]);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body.instance).toBe('/api/notes/');
    expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
    expect(await stored()).toBe(before);
  });
});

describe('an address', () => {
  test.each([
    ['GET /api/notes', 308, { location: '/api/notes/' }],
    ['POST /api/notes?a=%20b', 308, { location: '/api/notes/?a=%20b' }],
    ['PUT /api/notes/?', 405, { allow: 'POST, GET, HEAD, OPTIONS' }],
    ['PATCH /api/clock/', 405, { allow: 'GET, HEAD, OPTIONS' }],
    ['GET /nowhere', 404, {}],
    ['GET /api//notes/', 404, {}],
    [`GET /api/notes/${'x'.repeat(61)}/`, 404, {}],
    ['GET /api/notes/%ff/', 404, {}],
  ])('%s: %i', async (line, status, headers) => {
    const answer = await ask(service, line);
    expect(answer.status).toBe(status);
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value);
  });

  test('says nothing of what it runs on', async () => {
    const { headers } = await ask(service, 'GET /nowhere');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });
});

describe('who calls', () => {
  const bearer = (claims: TestClaims) => ({ authorization: `Bearer ${service.tokens.sign(claims)}` });

  test('a role that does not suffice is told which one would', async () => {
    const answer = await ask(service, `DELETE ${path()}`, { headers: bearer({ role: 'facilitator' }) });
    expect([answer.status, answer.body.detail]).toEqual([403, 'This needs the role admin.']);
  });

  test('another organization finds nothing, whatever it tries', async () => {
    const headers = bearer({ org: v7() });
    expect((await ask(service, `GET ${path()}`, { headers })).status).toBe(404);
    expect((await ask(service, `PUT ${path()}`, { headers, json: { text: 'mine' } })).status).toBe(404);
    await ask(service, `DELETE ${path()}`, { headers });
    expect((await ask(service, `GET ${path()}`)).status).toBe(200);
  });
});

describe('a stream', () => {
  test('ends for the service when its reader leaves', async () => {
    const leaving = new AbortController();
    const { body } = await service.fetch(`${service.url}/api/clock/`, { signal: leaving.signal });
    const first = await body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toBe('data: tick\n\n');
    const before = seen.streamsEnded;
    leaving.abort();
    await eventually(() => expect(seen.streamsEnded).toBe(before + 1), 3_000);
  });

  test('has a head, for which nothing is streamed', async () => {
    const before = seen.streamsBegun;
    const { status, headers, body } = await ask(service, 'HEAD /api/clock/', {
      signal: AbortSignal.timeout(3_000),
    });
    expect([status, body]).toEqual([200, '']);
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(seen.streamsBegun).toBe(before);
  });
});

test('505 idle streams of one person take nothing from anybody else', async () => {
  const leaving = new AbortController();
  const person = { org: v7(), sub: v7() };
  const open = async (claims: TestClaims) => {
    const headers = { authorization: `Bearer ${service.tokens.sign(claims)}` };
    return await fetch(`${service.url}/api/clock/`, { signal: leaving.signal, headers });
  };
  await (await open(person)).body?.cancel();
  const answers = await Promise.all(Array.from({ length: 505 }, () => open(person)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  const open200 = answers.filter(({ status }) => status === 200).length;
  expect(open200).toBeGreaterThan(98);
  expect(open200).toBeLessThan(101);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.headers.get('retry-after')).toBe('5');
  expect(await refused?.json()).toMatchObject({ type: 'urn:muster:problem:rate-limited' });
  expect((await open({ org: person.org })).status).toBe(200);
  expect((await ask(service, `GET ${path()}`)).status).toBe(200);
  leaving.abort();
  const headers = { authorization: `Bearer ${service.tokens.sign(person)}` };
  await eventually(async () =>
    expect((await ask(service, 'HEAD /api/clock/', { headers })).status).toBe(200),
  );
});

test('whoever waits for queued work takes no place from requests, and past a number is told of the job', async () => {
  const held = gate();
  next.waits = held;
  const headers = { prefer: 'wait=20' };
  const copyPath = `POST ${path()}copies/`;
  const first = ask(service, copyPath, { headers });
  await held.reached;
  const waiting = Array.from({ length: 99 }, () => service.fetch(`${service.url}/api/clock/`));
  const streams = await Promise.all(waiting);
  expect(streams.every(({ status }) => status === 200)).toBe(true);
  const told = await ask<{ status: string }>(service, copyPath, { headers });
  expect([told.status, told.headers.get('location')]).toEqual([202, expect.stringMatching(/^\/api\/jobs\//)]);
  held.open();
  expect((await first).status).toBe(201);
  await Promise.all(streams.map(({ body }) => body?.cancel()));
});

test('too many requests at once: the next is told to come again, and health is still told', async () => {
  const { hostname, port } = new URL(service.url);
  const token = service.tokens.sign();
  const crowd = Array.from({ length: 500 }, () => connect(Number(port), hostname));
  // Each announces a body that does not come.
  for (const socket of crowd)
    socket.write(
      `POST /api/notes/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 9\r\n\r\n`,
    );
  await eventually(async () => {
    const { status, headers, body } = await ask(service, `GET ${path()}`);
    expect([status, headers.get('retry-after'), body.type]).toEqual([
      503,
      '1',
      'urn:muster:problem:unavailable',
    ]);
  });
  expect((await ask(service, 'GET /ready')).status).toBe(200);
  for (const socket of crowd) socket.destroy();
  await eventually(async () => expect((await ask(service, `GET ${path()}`)).status).toBe(200));
});

/** What a service says to bytes that no client library would send. */
async function raw(head: string, body: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const [method = '', url = ''] = head.split(' ');
  const proof = `${PROOF_HEADER}: ${gatewayProofs(TEST_SECRET).make({ method, url })}`;
  return await new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head}\r\nHost: localhost\r\n${proof}\r\nConnection: close\r\n\r\n${body}`);
    });
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject).on('end', () => resolve(received));
  });
}
