import { Agent } from 'node:http';
import { connect, type NetConnectOpts, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Call, codeOf, type Exchange } from './exchange.ts';
import { keptConnections } from './kept.ts';

const RETRY_EVERY_MS = 100;
const NOT_THERE_YET = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

export interface Agents {
  /** Sends over connections that are kept open what may be sent again if one turns out dead: GET and HEAD. */
  kept: (call: Call, exchange: Exchange) => void;
  /** A connection for each request, for what may be sent once only. */
  fresh: Agent;
  destroy(): void;
}

/**
 * Connections to the services. A request gets its socket only once that is connected, so that nothing is sent
 * (and no body read) before; a service that is just restarting is given `patienceMs` to come back.
 */
export function createAgents(patienceMs: number): Agents {
  const connections = keptConnections((options) => connectWithin(patienceMs, options));
  const fresh = patient(new Agent({ keepAlive: true }), patienceMs);
  fresh.keepSocketAlive = closeAtOnce;
  return {
    kept: connections.send,
    fresh,
    destroy() {
      connections.destroy();
      fresh.destroy();
    },
  };
}

/**
 * Closes a connection whose answer is complete. By reset, so that it leaves no TIME_WAIT behind: a minute of writes
 * would use up the ports. Not by `keepAlive: false`: a service that is told to close resets the connection itself
 * when it answers before it has read the whole body, and the answer would be lost.
 */
function closeAtOnce(socket: Duplex): false {
  if (socket instanceof Socket) socket.resetAndDestroy();
  return false;
}

function patient(agent: Agent, patienceMs: number): Agent {
  agent.createConnection = (options, done) => {
    connectWithin(patienceMs, options as NetConnectOpts).then(
      (socket) => done?.(null, socket),
      (error: Error) => done?.(error, undefined as never),
    );
    return undefined;
  };
  return agent;
}

/** Connects, trying again while nobody listens. Raises the last reason when the time is over. */
async function connectWithin(ms: number, options: NetConnectOpts): Promise<Socket> {
  const until = performance.now() + ms;
  for (;;) {
    try {
      return await connectOnce(options, until - performance.now());
    } catch (error) {
      const left = until - performance.now();
      if (!NOT_THERE_YET.has(codeOf(error)) || left < RETRY_EVERY_MS) throw error;
      await pause(RETRY_EVERY_MS);
    }
  }
}

function connectOnce(options: NetConnectOpts, ms: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(options);
    const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), ms);
    socket.once('error', reject).once('connect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('close', () => clearTimeout(timer));
  });
}
