import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SERVICES } from '@muster/contracts';
import { type Child, freePort, spawnChild, whenReady } from '@muster/devstack';
import { median } from './timing.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CONNECTIONS = 32;
const SECONDS = 3;
const ROUNDS = 3;
const run = promisify(execFile);
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/**
 * How many small answers a second one gateway passes on, with limits, against nginx and a bare http-proxy-middleware
 * before the same upstream. Says so where nginx or wrk (Debian packages) are not here.
 */
export async function edge(redisUrl: string): Promise<void> {
  const missing = await absent({ wrk: ['-v'], nginx: ['-v'] });
  if (missing.length > 0) return console.log(`the edge: not measured, apt-get install ${missing.join(' ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'muster-edge-'));
  const children: Child[] = [];
  const start = async (name: string, command: string, args: string[], more: Record<string, string>) => {
    const logFile = join(folder, `${name}.log`);
    const cwd = join(ROOT, 'gateway');
    const child = spawnChild({ name, command, args, cwd, env: { ...env, ...more }, logFile });
    children.push(child);
    await whenReady(child, () => answers(more.PORT ?? ''), 40_000, logFile);
    return Number(more.PORT);
  };
  try {
    const ports = await Promise.all(Array.from({ length: 5 }, freePort));
    const [upstream = '', bare = '', proxy = '', one = '', two = ''] = ports.map(String);
    const bareFile = ['test/bare-proxy.process.ts'];
    await start('upstream', process.execPath, bareFile, { PORT: upstream, UPSTREAM_PORT: upstream });
    await start('bare', process.execPath, bareFile, {
      PORT: bare,
      PROXY_PORT: bare,
      UPSTREAM_PORT: upstream,
    });
    const config = join(folder, 'nginx.conf');
    await writeFile(config, nginxConfig(folder, proxy, upstream));
    await start('nginx', 'nginx', ['-c', config, '-e', join(folder, 'error.log')], { PORT: proxy });
    for (const port of [one, two])
      await start(
        `gateway-${port}`,
        process.execPath,
        ['src/main.ts'],
        gatewayVariables(port, upstream, redisUrl),
      );

    const rates: Record<string, number[]> = { nginx: [], bare: [], gateway: [], gateways: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.nginx?.push(await load([proxy]));
      rates.bare?.push(await load([bare]));
      rates.gateway?.push(await load([one]));
      rates.gateways?.push(await load([one, two]));
    }
    const [nginx = 0, plain = 0, gateway = 0, both = 0] = Object.values(rates).map(median);
    const ratio = (a: number, b: number) => (a / b).toFixed(2);
    console.log(
      `the edge, limits on: ${gateway.toFixed(0)} answers/s, ${ratio(gateway, plain)} of a bare http-proxy-middleware, ${ratio(gateway, nginx)} of nginx; two gateways ${ratio(both, gateway)} of one`,
    );
  } finally {
    for (const child of children.toReversed()) await child.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function absent(programs: Record<string, string[]>): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(programs).map(async ([name, args]) => {
      const error = await run(name, args, { env }).catch((failure: NodeJS.ErrnoException) => failure);
      return 'code' in error && error.code === 'ENOENT' ? [name] : [];
    }),
  );
  return found.flat();
}

/** Asks these ports at once, as one caller with a token, and gives the answers a second of all. */
async function load(ports: string[]): Promise<number> {
  const connections = String(CONNECTIONS / ports.length);
  const rates = ports.map(async (port) => {
    const args = ['-t1', `-c${connections}`, `-d${SECONDS}`, '-H', 'Authorization: Bearer a.b.c'];
    const { stdout } = await run('wrk', [...args, `http://127.0.0.1:${port}/api/sessions/`]);
    if (stdout.includes('Non-2xx')) throw new Error(`The edge answered errors on port ${port}: ${stdout}`);
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  });
  return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0);
}

function gatewayVariables(port: string, upstream: string, redisUrl: string): Record<string, string> {
  const upstreams = SERVICES.map((name) => [
    `UPSTREAM_${name.toUpperCase().replaceAll('-', '_')}`,
    `http://127.0.0.1:${upstream}`,
  ]);
  return {
    ...Object.fromEntries(upstreams),
    PORT: port,
    SERVICE_PORT: port,
    MUSTER_MODE: 'development',
    SERVICE_SECRET: 'only for benches: thirty-two characters',
    REDIS_URL: redisUrl,
    REDIS_PREFIX: `bench-${port}`,
    RATE_LIMIT_TOKEN: '100000000',
    RATE_LIMIT_ADDRESS: '100000000',
  };
}

const nginxConfig = (folder: string, port: string, upstream: string) => `
worker_processes 1; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http { access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder};
  upstream service { server 127.0.0.1:${upstream}; keepalive 64; }
  server { listen 127.0.0.1:${port};
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; } } }
`;

async function answers(port: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/live`, { signal: AbortSignal.timeout(2_000) });
  await answer.body?.cancel();
}
