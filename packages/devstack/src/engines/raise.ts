import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './apt.ts';
import { composeEngine, testContainer } from './containers.ts';
import { startDocumentDb } from './documentdb.ts';
import type { Engine, EngineName, EngineUrls, Place, Way } from './engine.ts';
import { VARIABLES } from './findings.ts';
import { downloadMongod } from './mongod.download.ts';
import { pingMongo, startMongod } from './mongod.ts';
import { findMongod, findRabbit, findRedis, mongodVersion } from './programs.ts';
import { pingRabbit, startRabbit } from './rabbitmq.ts';
import { pingRedis, startRedis } from './redis.ts';
import { type Findings, keeperOf, PACKAGES } from './ways.rules.ts';

/** What is needed to have an engine one way. */
export interface Attempt {
  engine: EngineName;
  way: Way;
  findings: Findings;
  root: string;
  purpose: 'start' | 'test';
  /** As for every engine; `dataDir` is the directory in which each way has a folder of its own. */
  place: Place;
  /** The engine in a stack that runs. */
  stack?: Engine;
}

/** An engine, and what ends it for good. */
export type ClosableEngine = Engine & { close: () => Promise<void> };

/**
 * Brings an engine up in one given way.
 * @returns the engine, answering
 * @throws Error with one line saying why this way failed
 */
export async function raise(attempt: Attempt): Promise<ClosableEngine> {
  const { engine, way, findings, root, purpose, stack } = attempt;
  if (way === 'stack' && stack !== undefined) return { ...stack, way, close: async () => {} };
  if (way === 'url') return given(engine);
  const place = { ...attempt.place, dataDir: join(attempt.place.dataDir, `${engine}-${keeperOf(way)}`) };
  if (way === 'docker') {
    const started = await (purpose === 'start' ? composeEngine : testContainer)(engine, root, place);
    return {
      ...started,
      way,
      detail: `in ${findings.docker.detail.replace(' answers', '')}`,
      close: started.remove,
    };
  }
  mkdirSync(place.dataDir, { recursive: true });
  if (way === 'install') await install(engine, findings, place);
  const started =
    way === 'documentdb' ? await startDocumentDb(place) : await startProgram(engine, way, place);
  // What a test wrote goes with it: no need to wait until it is all written down.
  const graceMs = purpose === 'test' ? 500 : undefined;
  return { ...started, way, close: () => started.stop(graceMs) };
}

async function given(name: EngineName): Promise<ClosableEngine> {
  const uri = process.env[VARIABLES[name]] ?? '';
  const managementUrl = name === 'rabbitmq' ? process.env.AMQP_MANAGEMENT_URL : undefined;
  const version = await answering(name, { uri, managementUrl }).catch((error: Error) => {
    throw new Error(`${VARIABLES[name]} is set, but nothing answers there: ${error.message}`);
  });
  const refuse = () => {
    throw new Error(`${name} was given by ${VARIABLES[name]}: it is not ours to stop or start`);
  };
  const hooks = { stop: async () => refuse(), start: async () => refuse(), kill: refuse };
  return {
    name,
    uri,
    managementUrl,
    way: 'url',
    detail: `version ${version}`,
    ...hooks,
    close: async () => {},
  };
}

async function answering(name: EngineName, { uri, managementUrl }: EngineUrls): Promise<string> {
  if (name === 'mongodb') return pingMongo(uri);
  return name === 'redis' ? pingRedis(uri) : pingRabbit(uri, managementUrl);
}

async function install(engine: EngineName, { installer }: Findings, place: Place): Promise<void> {
  const name = PACKAGES[engine];
  if (name === undefined || 'no' in installer) throw new Error('it is in no package here');
  place.report(`${engine}: installing ${name} with apt-get as ${installer.as}`);
  await installPackages([name], installer.as, join(place.logDir, `apt-${engine}.log`));
}

async function startProgram(engine: EngineName, way: Way, place: Place): Promise<Omit<Engine, 'way'>> {
  if (engine === 'redis') {
    const { path, version } = there(await findRedis(), 'redis-server');
    return { ...(await startRedis(path, place)), detail: `${version} from ${path}` };
  }
  if (engine === 'rabbitmq') {
    const { version, server, epmd } = there(await findRabbit(), 'rabbitmq-server with Erlang');
    return { ...(await startRabbit({ server, epmd }, place)), detail: `${version} from ${server}` };
  }
  if (way === 'download') place.report('mongodb: downloading MongoDB, unless it is in the cache');
  const path = way === 'download' ? await downloadMongod() : there(await findMongod(), 'mongod').path;
  return { ...(await startMongod(path, place)), detail: `${await mongodVersion(path)} from ${path}` };
}

function there<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`${name} is not on PATH`);
  return found;
}
