import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';

/** An answer as it came. */
export interface RawAnswer {
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
): Promise<RawAnswer> {
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
