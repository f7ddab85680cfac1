import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { gatewayConfig } from '../src/config.ts';
import { type Gateway, startGateway } from '../src/gateway.ts';
import { startUpstream, type Upstream } from './upstream.ts';

export interface Stand extends Gateway {
  exercises: Upstream;
  identity: Upstream;
}

/** A gateway on a free port before two stand-ins, with counters of its own. `variables` are as in the environment. */
export async function startStand(
  variables: Record<string, string> = {},
  upstreams: { exercises?: Upstream; identity?: Upstream } = {},
): Promise<Stand> {
  const exercises = upstreams.exercises ?? (await startUpstream());
  const identity = upstreams.identity ?? (await startUpstream());
  const gateway = await startGateway(
    gatewayConfig({
      MUSTER_MODE: 'development',
      SERVICE_PORT: '0',
      LOG_LEVEL: 'silent',
      REDIS_URL: redisUrl(),
      REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
      UPSTREAM_EXERCISES: exercises.url,
      UPSTREAM_IDENTITY: identity.url,
      STOP_MS: '2000',
      ...variables,
    }),
  );
  return {
    ...gateway,
    exercises,
    identity,
    async stop() {
      await gateway.stop();
      await Promise.all([exercises.stop(), identity.stop()]);
    },
  };
}

/** The Redis that the tests share. */
export function redisUrl(): string {
  const url = process.env.REDIS_URL;
  if (!url) throw new Error('Set REDIS_URL to a Redis for tests, such as redis://127.0.0.1:6379');
  return url;
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  /** The body as JSON. */
  json<T = Record<string, unknown>>(): T;
}

/** Sends a request with its path as written (`fetch` would normalise it) and reads the answer. */
export function ask(
  base: string,
  path: string,
  options: RequestOptions & { body?: string | Buffer; chunks?: Iterable<Buffer> } = {},
): Promise<Answer> {
  const { body, chunks, ...rest } = options;
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, agent: false, ...rest }, async (response) => {
      let text = '';
      try {
        for await (const chunk of response) text += chunk;
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: <T>() => JSON.parse(text) as T,
        });
      } catch (error) {
        reject(error);
      }
    });
    request.on('error', reject);
    for (const chunk of chunks ?? []) request.write(chunk);
    request.end(body);
  });
}

/** Writes bytes to a bare connection and gives all that comes back until the other side closes. */
export function exchangeBytes(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    let got = '';
    socket.setEncoding('latin1');
    socket.on('data', (data) => {
      got += data;
    });
    socket.once('close', () => resolve(got)).once('error', reject);
  });
}
