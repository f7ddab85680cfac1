import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { homeOf } from '../home/home.ts';
import { checkoutPasswords, passwords } from '../home/secrets.ts';
import { rememberedPorts } from '../ports/ports.ts';
import { attempt } from './attempts.ts';
import { ENGINES, type Engine, type EngineName, type EngineOptions, type Place, type Way } from './engine.ts';
import { removeAbandoned } from './leftovers.ts';
import type { ClosableEngine } from './raise.ts';
import { holdStack, runningStack } from './stack.ts';

/** Which way an engine is had, for people. */
export interface Choice {
  engine: EngineName;
  way: Way;
  detail: string;
}

/** The three engines, answering; the URLs carry user and password. */
export interface Engines {
  mongodbUri: string;
  amqpUrl: string;
  /** RabbitMQ's HTTP API with user and password; undefined where AMQP_URL came without AMQP_MANAGEMENT_URL. */
  amqpManagementUrl: string | undefined;
  redisUrl: string;
  choices: Choice[];
  /** Hooks for fault tests; they throw for an engine that is not ours. */
  engine(name: EngineName): Pick<Engine, 'stop' | 'start' | 'kill'>;
  /** Ends what was started here, and nothing else. */
  stop(): Promise<void>;
}

let sets = 0;

/**
 * Brings up MongoDB, RabbitMQ and Redis, each by the first way that works, all three at once.
 * @throws Error when one cannot be had, listing what was tried and why not; the others are stopped again
 */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const { root, purpose, own = false, onStopRequest } = options;
  const stack = own ? undefined : await runningStack(root);
  const raised: ClosableEngine[] = [];
  const holds = purpose === 'start' && stack === undefined;
  const held = holds ? await holdStack(root, raised, onStopRequest) : undefined;
  const place = preparePlace(options);

  async function stop(): Promise<void> {
    await Promise.all(raised.map((engine) => engine.close()));
    if (purpose === 'test')
      rmSync(place.dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    await held?.release();
  }

  const outcomes = await Promise.allSettled(
    ENGINES.map(async (name) => {
      const running = stack?.find((engine) => engine.name === name);
      raised.push(await attempt(name, options, place, running));
    }),
  );
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as Error] : [],
  );
  if (failures.length === 0) return described(raised, stop);
  await stop();
  throw new Error(failures.map(({ message }) => message).join('\n'));
}

function preparePlace({ root, purpose, report }: EngineOptions): Place {
  const home = homeOf(root);
  const kept = purpose === 'start';
  const set = kept ? 'start' : `test-${process.pid}-${++sets}`;
  if (!kept) removeAbandoned(home);
  const logDir = kept ? join(home, 'log') : join(home, 'log', set);
  mkdirSync(logDir, { recursive: true });
  const { port } = rememberedPorts(kept ? join(home, 'ports.json') : undefined);
  return {
    dataDir: join(home, set),
    logDir,
    passwords: kept ? checkoutPasswords(root) : passwords(),
    port,
    report,
  };
}

function described(raised: ClosableEngine[], stop: () => Promise<void>): Engines {
  const engine = (name: EngineName): Engine => {
    const found = raised.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`There is no engine ${name}`);
    return found;
  };
  return {
    mongodbUri: engine('mongodb').uri,
    amqpUrl: engine('rabbitmq').uri,
    amqpManagementUrl: engine('rabbitmq').managementUrl,
    redisUrl: engine('redis').uri,
    choices: raised.map(({ name, way, detail }) => ({ engine: name, way, detail })),
    engine,
    stop,
  };
}
