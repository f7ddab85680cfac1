import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@muster/testing';
import type { Note } from './notes.fixture.ts';
import { ask, type Notes, startNotes } from './stand.fixture.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code?: number };
}

interface Metric {
  name: string;
  sum?: { isMonotonic: boolean };
  histogram?: { dataPoints: { count: number; bucketCounts: number[]; explicitBounds: number[] }[] };
}

const spans: Span[] = [];
const metrics: Metric[] = [];
const services = new Set<string>();
let collector: Server;
let service: Notes;

/** What a collector takes, OTLP as JSON over HTTP. */
function take(path: string, body: string): void {
  const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(body);
  for (const { resource, scopeSpans } of resourceSpans) {
    for (const { key, value } of resource.attributes)
      if (key === 'service.name') services.add(value.stringValue);
    for (const scope of scopeSpans) spans.push(...scope.spans);
  }
  for (const { scopeMetrics } of resourceMetrics)
    for (const scope of scopeMetrics) metrics.push(...scope.metrics);
  expect(path).toBe(resourceSpans.length > 0 ? '/v1/traces' : '/v1/metrics');
}

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = '';
    request
      .on('data', (chunk) => {
        body += chunk;
      })
      .on('end', () => {
        take(request.url ?? '', body);
        response.setHeader('content-type', 'application/json').end('{}');
      });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  service = await startNotes({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await service?.stop();
  collector?.close();
  collector?.closeAllConnections();
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };

test('a request, its job, their events and the reactions to them are one trace', async () => {
  const { body } = await ask<Note>(service, 'POST /api/notes/', { json: { text: 'traced' } });
  await ask<Note>(service, `POST /api/notes/${body.id}/copies/`, { headers });
  const own = () => spans.filter(({ traceId }) => traceId === TRACE);
  await eventually(() => {
    expect(own().some(({ name }) => name.startsWith('job '))).toBe(true);
    expect(own().filter(({ name }) => / [a-z-]+\.[a-z.]+\.v\d+$/.test(name)).length).toBeGreaterThan(0);
  });
  const request = own().find(({ name }) => name === 'POST copyNote');
  const job = own().find(({ name }) => name.startsWith('job '));
  expect(request?.parentSpanId).toBe(CALLER);
  expect(job?.parentSpanId).toBe(request?.spanId);
  for (const reaction of own().filter(({ name }) => / [a-z-]+\.[a-z.]+\.v\d+$/.test(name)))
    expect([request?.spanId, job?.spanId]).toContain(reaction.parentSpanId);
  expect([...services]).toEqual(['exercises']);
});

test('what Prometheus sees reaches the collector too, when the process stops at the latest', async () => {
  await service.stop();
  const requests = metrics.findLast(({ name }) => name === 'http_request_duration_seconds')?.histogram;
  const counted = requests?.dataPoints.map(({ count, bucketCounts, explicitBounds }) => {
    expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
    return [bucketCounts.reduce((sum, part) => sum + part, 0), count];
  });
  expect(counted?.length).toBeGreaterThan(0);
  for (const [parts, whole] of counted ?? []) expect(parts).toBe(whole);
  expect(metrics.find(({ name }) => name === 'jobs_total')?.sum?.isMonotonic).toBe(true);
});
