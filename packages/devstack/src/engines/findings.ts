import { documentDbAvailability } from '../documentdb/availability.ts';
import { findInstaller } from './apt.ts';
import { findDocker } from './docker.ts';
import type { EngineName } from './engine.ts';
import { cacheDir, downloadedMongod, downloadIsReachable } from './mongod.download.ts';
import { findMongod, findRabbit, findRedis, type Program } from './programs.ts';
import type { Findings, Keeper } from './ways.rules.ts';

/** The variable that names an engine someone else runs. */
export const VARIABLES: Record<EngineName, string> = {
  mongodb: 'MONGODB_URI',
  rabbitmq: 'AMQP_URL',
  redis: 'REDIS_URL',
};

const NOT_FOR_THIS_ENGINE = { no: 'does not apply' };

/**
 * Looks at what bears on one engine here. Changes nothing; asks the network only whether MongoDB's download answers.
 * @param root the checkout
 * @param known where its data is from before, and the engine's URL in a stack that runs
 */
export async function find(
  engine: EngineName,
  root: string,
  purpose: 'start' | 'test',
  known: { keeper?: Keeper; stack?: string },
): Promise<Findings> {
  const [docker, program, installer, download, documentDb] = await Promise.all([
    findDocker(root, engine, purpose === 'start'),
    findProgram(engine),
    findInstaller(),
    engine === 'mongodb' ? findDownload() : NOT_FOR_THIS_ENGINE,
    engine === 'mongodb' ? documentDbAvailability(cacheDir()) : NOT_FOR_THIS_ENGINE,
  ]);
  const variable = { name: VARIABLES[engine], set: Boolean(process.env[VARIABLES[engine]]) };
  return { ...known, variable, docker, program, installer, download, documentDb };
}

function findProgram(engine: EngineName): Promise<Program | undefined> {
  return { mongodb: findMongod, rabbitmq: findRabbit, redis: findRedis }[engine]();
}

async function findDownload(): Promise<Findings['download']> {
  if ((await downloadedMongod()) !== undefined) return { state: 'cached' };
  if (await downloadIsReachable()) return { state: 'reachable' };
  return { no: "MongoDB's download host does not answer" };
}
