import { join } from 'node:path';
import { connect } from 'amqplib';
import { spawnChild } from '../processes/child.ts';
import { type Supervised, supervise } from '../processes/supervisor.ts';
import { type Engine, type EngineUrls, type Place, USER } from './engine.ts';
import { brokerEnvironment, type RabbitPorts, writeConfiguration } from './rabbitmq.settings.ts';
import { whenReady } from './readiness.ts';

/** Programs of one RabbitMQ installation. */
export interface RabbitPrograms {
  /** rabbitmq-server, the script that runs it in the foreground. */
  server: string;
  /** epmd, Erlang's name server. */
  epmd: string;
}

/**
 * Runs a RabbitMQ of our own, with its management API, bound to the loopback.
 * Erlang's name server runs beside it in the foreground, so that none is left behind as a daemon.
 * @returns the engine, answering; `way` and `detail` are the caller's to say
 * @throws Error when it does not answer within 90 s
 */
export async function startRabbit(
  programs: RabbitPrograms,
  place: Place,
): Promise<Omit<Engine, 'way' | 'detail'>> {
  const ports: RabbitPorts = {
    amqp: await place.port('rabbitmq'),
    management: await place.port('rabbitmq-management'),
    distribution: await place.port('rabbitmq-distribution'),
    epmd: await place.port('epmd'),
  };
  const urls = rabbitUrls(ports.amqp, ports.management, place.passwords.RABBITMQ_PASSWORD);
  writeConfiguration(place, ports);
  const names = nameServer(programs.epmd, place, ports);
  const server = broker(programs.server, place, ports, () => ownRabbit(urls));
  await names.start();
  try {
    await server.start();
  } catch (error) {
    await names.stop();
    throw error;
  }
  return {
    name: 'rabbitmq',
    ...urls,
    kill: server.kill,
    start: () => names.start().then(() => server.start()),
    stop: (graceMs) => server.stop(graceMs).then(() => names.stop()),
  };
}

/** The URLs of a RabbitMQ of ours. */
export function rabbitUrls(amqp: number, management: number, password: string): Required<EngineUrls> {
  return {
    uri: `amqp://${USER}:${password}@127.0.0.1:${amqp}`,
    managementUrl: `http://${USER}:${password}@127.0.0.1:${management}`,
  };
}

/**
 * Asks a RabbitMQ of ours whether it serves. One that kept its data before there were passwords gets our user instead
 * of guest.
 * @throws Error when it does not, or has just changed its users
 */
export async function ownRabbit({ uri, managementUrl }: Required<EngineUrls>): Promise<void> {
  await pingRabbit(uri, managementUrl).catch(async (error: Error) => {
    if (/ACCESS.REFUSED/.test(error.message)) await replaceGuest(managementUrl);
    throw error;
  });
}

async function replaceGuest(managementUrl: string): Promise<void> {
  const { username, password } = new URL(managementUrl);
  const asGuest = new URL(managementUrl);
  asGuest.username = asGuest.password = 'guest';
  const all = { configure: '.*', write: '.*', read: '.*' };
  await manage(asGuest.href, 'PUT', `users/${username}`, { password, tags: 'administrator' });
  await manage(asGuest.href, 'PUT', `permissions/%2F/${username}`, all);
  await manage(managementUrl, 'DELETE', 'users/guest');
}

/**
 * Asks a RabbitMQ whether it serves.
 * @param managementUrl its HTTP API, asked too when given
 * @returns its version
 * @throws Error when one of the two does not answer
 */
export async function pingRabbit(uri: string, managementUrl?: string): Promise<string> {
  const connection = await connect(uri, { timeout: 3_000 });
  connection.on('error', () => {});
  const version = String(connection.connection.serverProperties.version);
  await connection.close();
  if (managementUrl !== undefined) {
    await manage(managementUrl, 'GET', 'whoami');
  }
  return version;
}

/** Asks a management API. Raises an Error for an answer that is not fine. */
async function manage(managementUrl: string, method: string, path: string, body?: object): Promise<void> {
  const { url, authorization } = managementApi(managementUrl);
  const answer = await fetch(`${url}/api/${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(3_000),
  });
  if (!answer.ok) throw new Error(`the management API answered ${answer.status}`);
}

/**
 * Splits the URL of a management API for use with `fetch`, which takes no password in a URL.
 * @returns the URL without credentials and trailing slash, and the header that carries them
 */
export function managementApi(managementUrl: string): { url: string; authorization: string } {
  const { origin, pathname, username, password } = new URL(managementUrl);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    url: `${origin}${pathname.replace(/\/$/, '')}`,
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

function nameServer(program: string, place: Place, { epmd }: RabbitPorts): Supervised {
  const logFile = join(place.logDir, 'epmd.log');
  const env = { ...process.env, ERL_EPMD_ADDRESS: '127.0.0.1' };
  const launch = async () =>
    spawnChild({ name: 'epmd', command: program, args: ['-port', String(epmd)], env, logFile });
  return supervise({ name: 'epmd', report: place.report, launch });
}

function broker(
  program: string,
  place: Place,
  ports: RabbitPorts,
  answers: () => Promise<unknown>,
): Supervised {
  const logFile = join(place.logDir, 'rabbitmq-console.log');
  const env = brokerEnvironment(program, place, ports);
  return supervise({
    name: 'rabbitmq',
    report: place.report,
    launch: () => {
      const child = spawnChild({
        name: 'rabbitmq',
        command: program,
        args: [],
        env,
        logFile,
        cwd: place.dataDir,
      });
      return whenReady(child, answers, 90_000, logFile);
    },
  });
}
