import { z } from 'zod';
import { defaultSecrets } from './crypto/default-secrets.ts';
import { isLoopback } from './loopback.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.enum(['0', '1']).transform((value) => value === '1');
/** Comma-separated entries. */
export const commaSeparated = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
);

/** The variables that every service reads. */
export const baseVariables = {
  MUSTER_MODE: z.enum(['development', 'production']).default('production'),
  MUSTER_ALLOW_REMOTE_DEVELOPMENT: flag.default(false),
  KNOWN_HOSTS: commaSeparated.default([]),
  SERVICE_HOST: z.string().default('127.0.0.1'),
  SERVICE_PORT: port.default(0),
  ROLE: z.enum(['api', 'worker', 'all']).default('all'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MONGODB_URI: z.string().min(1),
  MONGODB_DB: z.string().min(1).max(60),
  AMQP_URL: z.string().min(1),
  REDIS_URL: z.string().min(1),
  REDIS_PREFIX: z.string().default('muster'),
  JWKS_URL: z.url(),
  /** An OpenTelemetry collector that takes OTLP over HTTP; without one nothing is sent. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  TOKEN_ISSUER: z.string().default('urn:muster:identity'),
  TOKEN_AUDIENCE: z.string().default('urn:muster:api'),
  SERVICE_SECRET: z.string().min(32, 'expected at least 32 characters, the same in every service'),
} as const;

export const baseConfig = z.object(baseVariables);
export type BaseConfig = z.output<typeof baseConfig>;

/** A service's variables, declared once; called with a context, it gives their values. */
export interface ServiceConfig<Variables extends BaseConfig = BaseConfig> {
  (ctx: { readonly config: BaseConfig }): Variables;
  schema: z.ZodType<Variables>;
}

/** Declares a service's variables: the base ones and its own. `config(ctx).PUBLIC_ORIGIN` reads one in a use case. */
export function defineConfig<Variables extends BaseConfig>(
  schema: z.ZodType<Variables>,
): ServiceConfig<Variables> {
  // What a context carries was loaded by this schema: a process runs one service.
  return Object.assign((ctx: { readonly config: BaseConfig }) => ctx.config as Variables, { schema });
}

/**
 * Reads variables that a part of the kit needs and a service declares among its own.
 * @throws Error that names one which this service does not declare
 */
export function declaredVariables<Shape extends z.ZodRawShape>(
  ctx: { readonly config: BaseConfig },
  shape: Shape,
): BaseConfig & z.output<z.ZodObject<Shape>> {
  const missing = Object.keys(shape).find((name) => !(name in ctx.config));
  if (missing) throw new Error(`This service does not declare the variable ${missing}`);
  return ctx.config as BaseConfig & z.output<z.ZodObject<Shape>>;
}

/**
 * Reads a service's variables. Raises one line that names every variable that is missing or wrong, and in production those
 * that still hold a default secret.
 * @param schema the base variables and the service's own
 */
export function loadConfig<S extends z.ZodType>(
  schema: S,
  env: Record<string, string | undefined>,
): z.output<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  const problems = parsed.success
    ? defaultSecrets(parsed.data as Parameters<typeof defaultSecrets>[0])
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.message})`);
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new Error(`These variables are missing or wrong: ${problems.join(', ')}`);
}

/** Development mode trusts whoever reaches it, so it stays on loopback unless told otherwise. */
export function refuseRemoteDevelopment(
  config: Pick<BaseConfig, 'MUSTER_MODE' | 'MUSTER_ALLOW_REMOTE_DEVELOPMENT' | 'SERVICE_HOST'>,
) {
  if (config.MUSTER_MODE !== 'development' || config.MUSTER_ALLOW_REMOTE_DEVELOPMENT) return;
  if (isLoopback(config.SERVICE_HOST)) return;
  throw new Error(
    `Development mode lets everyone in and refuses to listen on ${config.SERVICE_HOST}: use MUSTER_MODE=production, or set MUSTER_ALLOW_REMOTE_DEVELOPMENT=1`,
  );
}

/** This process's environment: the one place where it is read. */
export function environment(): Record<string, string | undefined> {
  return process.env;
}
