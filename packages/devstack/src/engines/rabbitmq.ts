import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect } from 'amqplib';
import { spawnChild } from '../processes/child.ts';
import { type Supervised, supervise } from '../processes/supervisor.ts';
import type { Engine, Place } from './engine.ts';
import { whenReady } from './readiness.ts';

/** Programs of one RabbitMQ installation. */
export interface RabbitPrograms {
  /** rabbitmq-server, the script that runs it in the foreground. */
  server: string;
  /** epmd, Erlang's name server. */
  epmd: string;
}

interface RabbitPorts {
  amqp: number;
  management: number;
  distribution: number;
  epmd: number;
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
  const uri = `amqp://guest:guest@127.0.0.1:${ports.amqp}`;
  const managementUrl = `http://guest:guest@127.0.0.1:${ports.management}`;
  writeConfiguration(place, ports);
  const names = nameServer(programs.epmd, place, ports);
  const server = broker(programs.server, place, ports, () => pingRabbit(uri, managementUrl));
  await names.start();
  try {
    await server.start();
  } catch (error) {
    await names.stop();
    throw error;
  }
  return {
    name: 'rabbitmq',
    uri,
    managementUrl,
    kill: server.kill,
    start: () => names.start().then(() => server.start()),
    stop: (graceMs) => server.stop(graceMs).then(() => names.stop()),
  };
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
    const { url, authorization } = managementApi(managementUrl);
    const answer = await fetch(`${url}/api/whoami`, {
      headers: { authorization },
      signal: AbortSignal.timeout(3_000),
    });
    if (!answer.ok) throw new Error(`the management API answered ${answer.status}`);
  }
  return version;
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
  const env = environment(program, place, ports);
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

function writeConfiguration(place: Place, { amqp, management }: RabbitPorts): void {
  const { dataDir, logDir } = place;
  for (const directory of [dataDir, join(dataDir, 'conf.d'), logDir])
    mkdirSync(directory, { recursive: true });
  const lines = [
    `listeners.tcp.1 = 127.0.0.1:${amqp}`,
    'management.tcp.ip = 127.0.0.1',
    `management.tcp.port = ${management}`,
    'log.file.level = info',
    'log.console = false',
  ];
  writeFileSync(join(dataDir, 'rabbitmq.conf'), `${lines.join('\n')}\n`);
  writeFileSync(join(dataDir, 'enabled_plugins'), '[rabbitmq_management].\n');
  writeFileSync(join(dataDir, 'rabbitmq-env.conf'), '');
  writeFileSync(join(logDir, 'rabbitmq.log'), '');
}

function environment(program: string, place: Place, ports: RabbitPorts): NodeJS.ProcessEnv {
  const { dataDir, logDir } = place;
  return {
    ...process.env,
    PATH: `${dirname(program)}:${process.env.PATH ?? ''}`,
    // The Erlang cookie is made in HOME: this broker has its own.
    HOME: dataDir,
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    // The name is part of where data is kept, so it does not change with the port.
    RABBITMQ_NODENAME: 'muster@localhost',
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_CONFIG_FILE: join(dataDir, 'rabbitmq.conf'),
    RABBITMQ_CONFIG_FILES: join(dataDir, 'conf.d'),
    RABBITMQ_CONF_ENV_FILE: join(dataDir, 'rabbitmq-env.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(dataDir, 'advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(dataDir, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(dataDir, 'mnesia'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(dataDir, 'generated'),
    RABBITMQ_LOG_BASE: logDir,
    RABBITMQ_LOGS: join(logDir, 'rabbitmq.log'),
    // Two schedulers that do not spin are plenty beside everything else on a laptop.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
      '+S 2:2 +sbwt none +sbwtdcpu none +sbwtdio none -kernel inet_dist_use_interface {127,0,0,1}',
  };
}
