import { join } from 'node:path';
import { systemOr } from '../documentdb/programs.ts';
import { buildRootfs, rootfs } from '../documentdb/rootfs.ts';
import { documentDbProgram } from '../documentdb/start.ts';
import { spawnChild } from '../processes/child.ts';
import { supervise } from '../processes/supervisor.ts';
import { type Engine, type Place, USER } from './engine.ts';
import { cacheDir } from './mongod.download.ts';
import { mongoUri, pingMongo } from './mongod.ts';
import { whenReady } from './readiness.ts';

/**
 * Runs DocumentDB behind its wire-protocol bridge: what speaks MongoDB's language where MongoDB cannot be had.
 * @returns the engine, answering; `way` is the caller's to say
 * @throws Error when its root directory cannot be built, or it does not answer within 60 s
 */
export async function startDocumentDb(place: Place): Promise<Omit<Engine, 'way'>> {
  const own = await rootfs(cacheDir());
  // A system that has the packages needs no root directory.
  if (systemOr(own) === own) await buildRootfs(own, place.report);
  const port = await place.port('mongodb');
  const logFile = join(place.logDir, 'mongodb.log');
  const password = place.passwords.MONGODB_PASSWORD;
  const uri = mongoUri(port, password);
  const program = documentDbProgram({
    dataDir: place.dataDir,
    credentials: { user: USER, password },
    port,
    cacheDir: cacheDir(),
  });
  const supervised = supervise({
    name: 'mongodb',
    report: place.report,
    launch: () => {
      const child = spawnChild({ name: 'mongodb', ...program, logFile });
      return whenReady(child, () => pingMongo(uri), 60_000, logFile);
    },
  });
  await supervised.start();
  const detail = 'DocumentDB, a MongoDB-compatible engine on PostgreSQL';
  return {
    name: 'mongodb',
    uri,
    detail,
    start: supervised.start,
    stop: supervised.stop,
    kill: supervised.kill,
  };
}
