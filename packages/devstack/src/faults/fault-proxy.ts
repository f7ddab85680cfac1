import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * `pass` carries bytes; `reset` cuts and refuses; `blackhole` keeps connections and carries nothing;
 * `drop` carries what the client says but not the answers: confirms get lost after the server has accepted.
 */
export type FaultMode = 'pass' | 'reset' | 'blackhole' | 'drop';

/** A TCP proxy before an engine that fails on demand. */
export interface FaultProxy {
  port: number;
  set(mode: FaultMode): void;
  close(): Promise<void>;
}

export async function faultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  let mode: FaultMode = 'pass';
  const pairs = new Set<[Socket, Socket]>();

  const server: Server = createServer((client) => {
    if (mode === 'reset') return void client.resetAndDestroy();
    const upstream = connect(target.port, target.host);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    client.on('data', (bytes) => mode !== 'blackhole' && upstream.write(bytes));
    upstream.on('data', (bytes) => mode === 'pass' && client.write(bytes));
    for (const socket of pair) {
      socket.on('error', () => undefined);
      // Not even the end of one side comes through a black hole.
      socket.on('close', () => mode !== 'blackhole' && end(pair));
    }
  });
  const end = (pair: [Socket, Socket]) => {
    pairs.delete(pair);
    for (const socket of pair) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const cut = () => {
    for (const [client, upstream] of pairs) {
      client.resetAndDestroy();
      upstream.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      mode = next;
      if (next === 'reset') cut();
      for (const pair of pairs)
        if (mode !== 'blackhole' && pair.some(({ destroyed }) => destroyed)) end(pair);
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}

/** The URL with the proxy's address in it. */
export function through(url: string, proxy: FaultProxy): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(proxy.port);
  return changed.href;
}

/** Where a URL points. */
export function targetOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
