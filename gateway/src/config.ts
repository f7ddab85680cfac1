import { isIP } from 'node:net';
import { apis, SERVICES, type ServiceName } from '@muster/contracts';
import { baseVariables, commaSeparated, environment, isLoopback, loadConfig } from '@muster/service-kit';
import { z } from 'zod';

const {
  MUSTER_MODE,
  MUSTER_ALLOW_REMOTE_DEVELOPMENT,
  KNOWN_HOSTS,
  SERVICE_HOST,
  SERVICE_SECRET,
  REDIS_URL,
  REDIS_PREFIX,
  LOG_LEVEL,
  OTEL_EXPORTER_OTLP_ENDPOINT,
} = baseVariables;
const port = z.coerce.number().int().min(0).max(65_535);
const count = z.coerce.number().int().min(1);
const milliseconds = z.coerce.number().int().min(10).max(600_000);
const origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin);
const networks = commaSeparated.refine((entries) => entries.every(isNetwork), {
  error: 'expected addresses or networks such as 10.0.0.0/8, comma-separated',
});

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const prefix = bits === undefined ? most : Number(/^\d+$/.test(bits) ? bits : 0);
  return rest.length === 0 && prefix >= 1 && prefix <= most;
}

/** The variable that names where a service listens, such as `UPSTREAM_SECURITY_OPS`. */
export const upstreamVariable = (service: ServiceName) =>
  `UPSTREAM_${service.toUpperCase().replaceAll('-', '_')}` as const;

const upstream = z.url({ protocol: /^http$/, error: 'expected such as http://127.0.0.1:7001' });
const declared = new Set(apis.map((api) => api.service));
const upstreams: z.ZodType<Partial<Record<`UPSTREAM_${string}`, string>>> = z.object(
  Object.fromEntries(
    SERVICES.map((service) => [
      upstreamVariable(service),
      declared.has(service) ? upstream : upstream.optional(),
    ]),
  ),
);

const all = z.object({
  MUSTER_MODE,
  MUSTER_ALLOW_REMOTE_DEVELOPMENT,
  KNOWN_HOSTS,
  SERVICE_HOST,
  SERVICE_SECRET: SERVICE_SECRET.optional(),
  SERVICE_PORT: port.default(8080),
  REDIS_URL,
  REDIS_PREFIX,
  LOG_LEVEL,
  OTEL_EXPORTER_OTLP_ENDPOINT,
  METRICS_PORT: port.optional(),
  PUBLIC_ORIGIN: origin.optional(),
  TRUSTED_PROXIES: networks.default([]),
  CORS_ORIGINS: commaSeparated.default([]),
  RATE_LIMIT_TOKEN: count.optional(),
  RATE_LIMIT_ADDRESS: count.optional(),
  RATE_LIMIT_LOGIN: count.optional(),
  RATE_LIMIT_REFUSED: count.optional(),
  ANSWER_TIMEOUT_MS: milliseconds.default(30_000),
  CONNECT_PATIENCE_MS: milliseconds.default(5_000),
  BREAKER_OPEN_MS: milliseconds.default(10_000),
  RECEIVE_HEADERS_MS: milliseconds.default(10_000),
  RECEIVE_REQUEST_MS: milliseconds.default(60_000),
  STOP_MS: milliseconds.default(25_000),
});

const variables = all.superRefine((given, context) => {
  const { MUSTER_MODE, PUBLIC_ORIGIN, CORS_ORIGINS, SERVICE_SECRET } = given;
  const wrong = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  const production = MUSTER_MODE === 'production';
  if (production && PUBLIC_ORIGIN === undefined)
    wrong('PUBLIC_ORIGIN', 'production needs the address people use, such as https://muster.example.org');
  if (production && PUBLIC_ORIGIN?.startsWith('http:'))
    wrong('PUBLIC_ORIGIN', 'production needs https, which ends at a proxy before the gateway');
  if (!production && SERVICE_SECRET === undefined)
    wrong('SERVICE_SECRET', 'development mode needs the same as the services');
  for (const entry of CORS_ORIGINS.filter((entry) => !isOrigin(entry, { loopback: !production })))
    wrong('CORS_ORIGINS', `expected exact origins such as https://portal.example.org, not "${entry}"`);
});
const schema = variables.and(upstreams);

/** An origin as browsers write it, over https; over http for loopback where that is allowed. */
function isOrigin(entry: string, allowed: { loopback: boolean }): boolean {
  if (!URL.canParse(entry)) return false;
  const { origin, protocol, hostname } = new URL(entry);
  if (origin !== entry) return false;
  return protocol === 'https:' || (protocol === 'http:' && allowed.loopback && isLoopback(hostname));
}

/** Requests a minute: people who develop and tests that run on one machine share one address. */
const RATES = {
  development: { token: 60_000, address: 60_000, login: 60_000, refused: 60_000 },
  production: { token: 600, address: 1_200, login: 20, refused: 100 },
} as const;

export type GatewayConfig = z.output<typeof schema> & {
  /** A minute: requests of a token, of an address, its requests to login pages, its refused tokens and cookies. */
  rates: { token: number; address: number; login: number; refused: number };
  /** Where each deployed service listens. */
  upstreams: Map<ServiceName, string>;
};

/** Reads the gateway's variables. Raises one line that names every one that is missing or wrong. */
export function gatewayConfig(env = environment()): GatewayConfig {
  const read = loadConfig(schema, env);
  const rates = RATES[read.MUSTER_MODE];
  return {
    ...read,
    rates: {
      token: read.RATE_LIMIT_TOKEN ?? rates.token,
      address: read.RATE_LIMIT_ADDRESS ?? rates.address,
      login: read.RATE_LIMIT_LOGIN ?? rates.login,
      refused: read.RATE_LIMIT_REFUSED ?? rates.refused,
    },
    upstreams: new Map(
      SERVICES.flatMap((service) => {
        const url = read[upstreamVariable(service)];
        return url === undefined ? [] : [[service, url] as const];
      }),
    ),
  };
}
