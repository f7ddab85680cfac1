import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootfs } from '../documentdb/rootfs.ts';
import { spawnChild } from '../processes/child.ts';
import { supervise } from '../processes/supervisor.ts';
import type { Engine, Place } from './engine.ts';
import { pingMongo } from './mongod.ts';
import { onPath } from './programs.ts';
import { whenReady } from './readiness.ts';
import type { Findings } from './ways.rules.ts';

/**
 * Runs DocumentDB behind its wire-protocol bridge: what speaks MongoDB's language where MongoDB cannot be had.
 * @returns the engine, answering; `way` is the caller's to say
 * @throws Error when its root directory cannot be built, or it does not answer within 60 s
 */
export async function startDocumentDb(place: Place): Promise<Omit<Engine, 'way'>> {
  await rootfs();
  const port = await place.port('mongodb');
  const logFile = join(place.logDir, 'mongodb.log');
  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const program = fileURLToPath(new URL('../documentdb/main.ts', import.meta.url));
  const args = [program, '--data', place.dataDir, '--port', String(port)];
  const supervised = supervise({
    name: 'mongodb',
    report: place.report,
    launch: () => {
      const child = spawnChild({ name: 'mongodb', command: process.execPath, args, logFile });
      return whenReady(child, () => pingMongo(uri), 60_000, logFile);
    },
  });
  await supervised.start();
  const detail = `DocumentDB, a MongoDB-compatible engine on PostgreSQL`;
  return {
    name: 'mongodb',
    uri,
    detail,
    start: supervised.start,
    stop: supervised.stop,
    kill: supervised.kill,
  };
}

/** Whether DocumentDB can be had here; looks only. */
export async function documentDbAvailability(): Promise<Findings['documentDb']> {
  if (process.platform !== 'linux') return { no: 'it runs on Linux only' };
  if (process.getuid?.() !== 0) return { no: 'it needs root, for a root directory of its own' };
  if (existsSync((await rootfs()).dir)) return { state: 'built' };
  return onPath('apt-get') === undefined ? { no: 'apt-get is not here' } : { state: 'buildable' };
}
