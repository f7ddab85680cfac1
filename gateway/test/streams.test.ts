import { once } from 'node:events';
import { get, type IncomingMessage, type RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { newJobId } from '@muster/contracts';
import { type Stand, startStand } from './stand.ts';
import { startUpstream } from './upstream.ts';

let stand: Stand | undefined;
afterEach(() => stand?.stop());

const path = `/api/jobs/${newJobId('exercises')}/stream`;
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
