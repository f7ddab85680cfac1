import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Page = string | Uint8Array | ((request: IncomingMessage, response: ServerResponse) => void);

/** Pages on this machine, by path; what is not there answers 404. */
export interface Web {
  /** `host:port`, for `MUSTER_INTEL_ALLOW`. */
  host: string;
  /** The address of a path. */
  at(path: string): string;
  set(path: string, page: Page, type?: string): string;
  asked: { path: string; accept: string }[];
  stop(): Promise<void>;
}

/** Starts a server of pages on loopback. */
export async function startWeb(): Promise<Web> {
  const pages = new Map<string, { page: Page; type: string }>();
  const asked: Web['asked'] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, accept: request.headers.accept ?? '' });
    const found = pages.get(path);
    if (!found) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
    else if (typeof found.page === 'function') found.page(request, response);
    else response.writeHead(200, { 'content-type': found.type }).end(found.page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = (path: string) => `http://${host}${path}`;
  return {
    host,
    at,
    asked,
    set(path, page, type = 'text/html; charset=utf-8') {
      pages.set(path, { page, type });
      return at(path);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A page with an article of these words. */
export const article = (title: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title><meta property="og:site_name" content="Example News"><meta property="article:published_time" content="2026-02-03T08:00:00Z"></head><body><nav><a href="/">Home</a></nav><article><h1>${title}</h1>${body
    .split('\n')
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('')}</article></body></html>`;
