import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a source answers next, and what it was asked. */
export interface Source {
  url: string;
  /** For `MUSTER_INTEL_ALLOW`. */
  host: string;
  /** `METHOD` and headers of each request, in order. */
  asked: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  answer: { status?: number; type?: string; body?: string; etag?: string; headless?: boolean };
  stop(): Promise<void>;
}

/** A publisher on this machine; with an `etag` it answers conditional requests. */
export async function startSource(): Promise<Source> {
  const asked: Source['asked'] = [];
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    asked.push({ method, path, headers });
    const { status = 200, type = 'application/json', body = '', etag, headless } = source.answer;
    if (headless && method === 'HEAD') return void response.writeHead(405).end();
    if (etag) response.setHeader('etag', etag);
    if (etag && headers['if-none-match'] === etag) return void response.writeHead(304).end();
    response.writeHead(status, { 'content-type': type }).end(method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source: Source = {
    url: `http://${host}/events.json`,
    host,
    asked,
    answer: {},
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return source;
}

/** Events of a MISP server with these titles; the same title is the same event. */
export function misp(titles: readonly string[]): string {
  const idOf = (text: string) => {
    const hash = createHash('sha256').update(text).digest('hex');
    return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  };
  const events = titles.map((info) => ({
    Event: {
      uuid: idOf(info),
      info,
      date: '2026-03-01',
      threat_level_id: '1',
      timestamp: '1772357400',
      Orgc: { name: 'Example CERT' },
      Attribute: [
        {
          uuid: idOf(`${info} address`),
          type: 'ip-dst',
          category: 'Network activity',
          value: '185.220.101.45',
          to_ids: true,
          timestamp: '1772357400',
        },
      ],
    },
  }));
  return JSON.stringify(events);
}
