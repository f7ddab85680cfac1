import { randomBytes, timingSafeEqual } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { homeOf } from '../home/home.ts';

/** How to reach a running launcher; kept in `.muster/run/<name>.json`, readable by its user alone. */
interface Address {
  pid: number;
  port: number;
  token: string;
}

/** What a running launcher answers to: `GET /` with `status`, `POST /<action>` with what `act` returns. */
export interface Handlers {
  status: () => unknown;
  act: (action: string) => Promise<unknown>;
}

/** The one who holds a name of a checkout. */
export interface Claim {
  release(): Promise<void>;
}

/**
 * Claims a name of a checkout for this process, and answers others who ask for it.
 * @param name `start` for the product, `stack` for the engines
 * @returns the claim; undefined when another process that answers holds it
 */
export async function claim(root: string, name: string, handlers: Handlers): Promise<Claim | undefined> {
  const token = randomBytes(16).toString('hex');
  const server = createServer((request, response) => answer(request, response, token, handlers));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  const address: Address = { pid: process.pid, port, token };
  const file = addressFile(root, name);
  if (!(await take(root, name, file, address))) {
    server.close();
    return undefined;
  }
  return {
    async release() {
      rmSync(file, { force: true });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Asks whoever holds a name of this checkout.
 * @param action nothing for its status, else what it should do
 * @returns its answer; undefined when nobody holds the name, or its holder is gone
 * @throws Error with the holder's message when the action failed
 */
export async function ask<T>(root: string, name: string, action?: string): Promise<T | undefined> {
  const address = readAddress(addressFile(root, name));
  if (address === undefined) return undefined;
  const answered = await fetch(`http://127.0.0.1:${address.port}/${action ?? ''}`, {
    method: action === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${address.token}` },
    // An action may have to wait for an engine to come up.
    signal: AbortSignal.timeout(action === undefined ? 3_000 : 120_000),
  }).catch(() => undefined);
  if (answered === undefined || answered.status === 401) return undefined;
  const body = (await answered.json()) as T & { error?: string };
  if (!answered.ok) throw new Error(body.error ?? `${name} answered ${answered.status}`);
  return body;
}

function addressFile(root: string, name: string): string {
  return join(root, '.muster', 'run', `${name}.json`);
}

async function take(root: string, name: string, file: string, address: Address): Promise<boolean> {
  const mine = `${file}.${process.pid}`;
  homeOf(root);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(mine, JSON.stringify(address), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      // A link is made whole or not at all: of two who start at once, one gets the name.
      if (linked(mine, file)) return true;
      if ((await ask(root, name)) !== undefined) return false;
      rmSync(file, { force: true });
    }
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readAddress(file: string): Address | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
  handlers: Handlers,
): Promise<void> {
  const send = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(body ?? {}));
  };
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return send(401, {});
  try {
    const action = (request.url ?? '/').slice(1);
    send(200, request.method === 'POST' ? await handlers.act(action) : handlers.status());
  } catch (error) {
    send(500, { error: (error as Error).message });
  }
}
