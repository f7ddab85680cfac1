import { apis, SERVICES, type ServiceName } from '@muster/contracts';
import { baseVariables, environment, loadConfig } from '@muster/service-kit';
import { z } from 'zod';

const { MUSTER_MODE, MUSTER_ALLOW_REMOTE_DEVELOPMENT, SERVICE_HOST, REDIS_URL, REDIS_PREFIX, LOG_LEVEL } =
  baseVariables;
const port = z.coerce.number().int().min(0).max(65_535);
const count = z.coerce.number().int().min(1);
const milliseconds = z.coerce.number().int().min(10).max(600_000);
const origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin);
const list = z.string().transform((value) => value.split(',').map((entry) => entry.trim()));

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

const variables = z.object({
  MUSTER_MODE,
  MUSTER_ALLOW_REMOTE_DEVELOPMENT,
  SERVICE_HOST,
  SERVICE_PORT: port.default(8080),
  REDIS_URL,
  REDIS_PREFIX,
  LOG_LEVEL,
  METRICS_PORT: port.optional(),
  PUBLIC_ORIGIN: origin.optional(),
  TRUSTED_PROXIES: list.default([]),
  RATE_LIMIT_TOKEN: count.optional(),
  RATE_LIMIT_ADDRESS: count.optional(),
  ANSWER_TIMEOUT_MS: milliseconds.default(30_000),
  CONNECT_PATIENCE_MS: milliseconds.default(5_000),
  BREAKER_OPEN_MS: milliseconds.default(10_000),
  RECEIVE_HEADERS_MS: milliseconds.default(10_000),
  RECEIVE_REQUEST_MS: milliseconds.default(60_000),
  STOP_MS: milliseconds.default(25_000),
});
const schema = variables.and(upstreams);

/** Requests a minute: people who develop and tests that run on one machine share one address. */
const RATES = {
  development: { token: 60_000, address: 60_000 },
  production: { token: 600, address: 1_200 },
} as const;

export type GatewayConfig = z.output<typeof schema> & {
  /** Requests per minute. */
  rates: { token: number; address: number };
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
    },
    upstreams: new Map(
      SERVICES.flatMap((service) => {
        const url = read[upstreamVariable(service)];
        return url === undefined ? [] : [[service, url] as const];
      }),
    ),
  };
}
