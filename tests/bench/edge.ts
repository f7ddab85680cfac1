import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
    return child;
  };
  try {
    const ports = await Promise.all(Array.from({ length: 5 }, freePort));
    const [upstream = '', bare = '', proxy = '', one = '', two = ''] = ports.map(String);
    const bareFile = ['test/bare-proxy.process.ts'];
    await start('upstream', process.execPath, bareFile, { PORT: upstream, UPSTREAM_PORT: upstream });
    const bareProxy = await start('bare', process.execPath, bareFile, {
      PORT: bare,
      PROXY_PORT: bare,
      UPSTREAM_PORT: upstream,
    });
    const config = join(folder, 'nginx.conf');
    await writeFile(config, nginxConfig(folder, proxy, upstream));
    await start('nginx', 'nginx', ['-c', config, '-e', join(folder, 'error.log')], { PORT: proxy });
    const gatewayOn = (port: string) =>
      start(`gateway-${port}`, process.execPath, ['src/main.ts'], gatewayVariables(port, upstream, redisUrl));
    const [first] = [await gatewayOn(one), await gatewayOn(two)];

    const ways = {
      nginx: { ports: [proxy], child: undefined },
      bare: { ports: [bare], child: bareProxy },
      gateway: { ports: [one], child: first },
      gateways: { ports: [one, two], child: undefined },
    };
    const runs = { nginx: [] as Run[], bare: [] as Run[], gateway: [] as Run[], gateways: [] as Run[] };
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const name of Object.keys(ways) as (keyof typeof ways)[]) {
        const run = await load(ways[name].ports, ways[name].child);
        if (round > 0) runs[name].push(run);
      }
    const ratio = (a: keyof typeof runs, b: keyof typeof runs, of: keyof Run = 'rate') =>
      (median(runs[a].map((run) => run[of])) / median(runs[b].map((run) => run[of]))).toFixed(2);
    console.log(
      `the edge, limits on: ${median(runs.gateway.map(({ rate }) => rate)).toFixed(0)} answers/s, ${ratio('gateway', 'bare')} of a bare http-proxy-middleware (CPU for each answer ${ratio('gateway', 'bare', 'cpuMs')} of its), ${ratio('gateway', 'nginx')} of nginx; two gateways ${ratio('gateways', 'gateway')} of one`,
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

interface Run {
  /** Answers a second of all ports. */
  rate: number;
  /** What one answer costs the process. */
  cpuMs: number;
}

/** Asks these ports at once, as one caller with a token. */
async function load(ports: string[], child: Child | undefined): Promise<Run> {
  const before = await cpuMsOf(child);
  const connections = String(CONNECTIONS / ports.length);
  const rates = ports.map(async (port) => {
    const args = ['-t1', `-c${connections}`, `-d${SECONDS}`, '-H', 'Authorization: Bearer a.b.c'];
    const { stdout } = await run('wrk', [...args, `http://127.0.0.1:${port}/api/sessions/`]);
    if (stdout.includes('Non-2xx')) throw new Error(`The edge answered errors on port ${port}: ${stdout}`);
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  });
  const rate = (await Promise.all(rates)).reduce((sum, one) => sum + one, 0);
  return { rate, cpuMs: ((await cpuMsOf(child)) - before) / (rate * SECONDS) };
}

/** What a process has used so far, as Linux tells it in hundredths of a second; elsewhere NaN. */
async function cpuMsOf(child: Child | undefined): Promise<number> {
  const stat = await readFile(`/proc/${child?.pid}/stat`, 'utf8').catch(() => '');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
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
