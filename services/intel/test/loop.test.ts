import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, intelItemsApi } from '@muster/contracts';
import { longestTurn, startTestService, type TestService } from '@muster/testing';
import { intel } from '../src/service.ts';
import { handOver, REPORT } from './report.fixture.ts';

// The largest documents, well meant and not: nobody else may wait for one of them.

const MOST_MS = 200;
const LENGTH = 900_000;

let service: TestService;
let client: Client<typeof intelItemsApi>;
beforeAll(async () => {
  service = await startTestService(intel);
  client = service.client(intelItemsApi);
  await handOver(client, REPORT, { media_type: 'text/plain' });
});
afterAll(async () => service.stop());

const filled = (unit: string) => unit.repeat(Math.floor(LENGTH / unit.length));

test.each([
  ['a long report', filled(`${REPORT}\n\n`), 'text/plain'],
  ['a long page', `<html><body><article>${filled(`<p>${REPORT}</p>`)}</article></body></html>`, 'text/html'],
  ['a page of elements that never end', `<html><body>${filled('<div><a>')}`, 'text/html'],
  ['a feed of declarations', `<rss>${filled('<!DOCTYPE ')}`, 'application/rss+xml'],
  ['a text of tabs', `Report${filled('\t')}`, 'text/plain'],
])('%s', async (name, document, media_type) => {
  const held = await longestTurn(
    () => handOver(client, document, { media_type }).catch(() => undefined),
    MOST_MS,
  );
  process.stderr.write(`${name}: ${held.toFixed(0)} ms\n`);
  expect(held).toBeLessThan(MOST_MS);
});
