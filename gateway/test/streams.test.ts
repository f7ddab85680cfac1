import { once } from 'node:events';
import { get, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { newJobId } from '@muster/contracts';
import { ask } from '@muster/testing';
import { type Stand, startStand } from './stand.ts';
import { echo, startUpstream } from './upstream.ts';

let stand: Stand | undefined;
afterEach(() => stand?.stop());

const path = `/api/jobs/${newJobId('exercises')}/stream`;
/** Its work is queued. */
const queued = '/api/playbooks/generate/01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f';
const streaming: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    response.write(`data: ${count}\n\n`);
  }, 250);
  response.once('close', () => clearInterval(timer));
};
const standStreaming = async (variables = {}) => {
  stand = await startStand(variables, { exercises: await startUpstream(streaming) });
  return stand;
};
const open = async (url: string) => {
  const [response] = (await once(get(url + path, { agent: false }), 'response')) as [IncomingMessage];
  return response.setEncoding('utf8');
};

test('events pass one by one, longer than any time-out', async () => {
  const { url } = await standStreaming({ ANSWER_TIMEOUT_MS: '200' });
  const events = await open(url);
  expect(events.headers['content-type']).toBe('text/event-stream');
  const got: string[] = [];
  for await (const chunk of events) {
    got.push(chunk);
    if (got.length === 4) break;
  }
  expect(got).toEqual(['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n', 'data: 4\n\n']);
});

test('a stop ends streams at once and properly, so that readers connect again', async () => {
  const { url, stop } = await standStreaming();
  const events = await open(url);
  const read = (async () => {
    let text = '';
    for await (const chunk of events) text += chunk;
    return text;
  })();
  await pause(400);
  const started = performance.now();
  await stop();
  expect(performance.now() - started).toBeLessThan(1_000);
  expect(await read).toContain('data: 1');
});

describe('what lasts', () => {
  const opened: IncomingMessage[] = [];
  afterEach(() => {
    for (const response of opened.splice(0)) response.destroy();
  });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  test('505 idle streams of one caller take nothing from anybody else', async () => {
    const { url } = await standStreaming();
    const openAs = async (token: string) => {
      const asked = get(url + path, { agent: false, headers: bearer(token) });
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      opened.push(response.resume());
      return response;
    };
    const answers = await Promise.all(Array.from({ length: 505 }, () => openAs('greedy')));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(100);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(refused?.headers).toMatchObject({ 'retry-after': '5' });
    expect((await openAs('other')).statusCode).toBe(200);
    for (const response of opened.splice(0)) response.destroy();
    await pause(300);
    expect((await openAs('greedy')).statusCode).toBe(200);
  });

  test('waits for queued work take no place from requests', async () => {
    const hanging: RequestListener = (request, response) =>
      request.method === 'POST' ? void request.resume() : echo(request, response);
    stand = await startStand({}, { exercises: await startUpstream(hanging) });
    const { url } = stand;
    const waiting = Array.from({ length: 505 }, (_, at) => {
      const headers = { ...bearer(`waits-${at % 6}`), prefer: 'wait=60' };
      const asked = httpRequest(url + queued, { method: 'POST', agent: false, headers });
      asked.on('error', () => undefined).end();
      return asked;
    });
    const { exercises } = stand;
    while (exercises.received.length < 505) await pause(50);
    expect((await ask(url, '/api/sessions/', { headers: bearer('other') })).status).toBe(200);
    for (const asked of waiting) asked.destroy();
  });
});
