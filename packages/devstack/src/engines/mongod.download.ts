import { Agent, request } from 'node:https';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DryMongoBinary } from 'mongodb-memory-server-core/lib/util/DryMongoBinary.js';
import { MongoBinary } from 'mongodb-memory-server-core/lib/util/MongoBinary.js';

const DOWNLOAD_HOST = 'https://fastdl.mongodb.org/';
const REACHABLE_WITHIN_MS = 2_500;

/** Per-user directory of what takes long to fetch, apart from any checkout; MUSTER_CACHE moves it. */
export function cacheDir(): string {
  return process.env.MUSTER_CACHE ?? join(homedir(), '.cache', 'muster');
}

/** Path of a mongod that was downloaded before; undefined when there is none. */
export async function downloadedMongod(): Promise<string | undefined> {
  const { version } = DryMongoBinary.getEnsuredOptions();
  return DryMongoBinary.locateBinary({ version, downloadDir: join(cacheDir(), 'mongodb') }).catch(
    () => undefined,
  );
}

/**
 * Downloads mongod for this system into the cache, unless it is there.
 * @returns path of the program
 * @throws Error when there is none for this system, or the download fails
 */
export async function downloadMongod(): Promise<string> {
  // Without it the downloader would accept any certificate.
  process.env.npm_config_strict_ssl = 'true';
  return MongoBinary.getPath({ downloadDir: join(cacheDir(), 'mongodb') });
}

/** Whether MongoDB's download host answers; false after 2.5 s of silence. */
export function downloadIsReachable(): Promise<boolean> {
  return new Promise((resolve) => {
    const agent = new Agent({ proxyEnv: process.env });
    const probe = request(DOWNLOAD_HOST, { method: 'HEAD', agent });
    const end = (reachable: boolean) => {
      clearTimeout(timer);
      probe.destroy();
      resolve(reachable);
    };
    const timer = setTimeout(() => end(false), REACHABLE_WITHIN_MS);
    // Any answer of the host itself will do; a proxy that refuses shows as an error or as 403 and 407.
    probe.on('response', ({ statusCode = 0 }) => end(statusCode !== 407 && statusCode < 500));
    probe.on('error', () => end(false));
    probe.end();
  });
}
