import { events, jobsApi, routeTable, type ServiceName, subscriptions } from '@muster/contracts';
import { createMessaging } from '@muster/messaging';
import type { z } from 'zod';
import { authenticator } from './auth/authenticate.ts';
import { keyStore } from './auth/jwks.ts';
import { revocationCheck, revocationReaction, revokedTokens } from './auth/revocation.ts';
import { tokenVerifier } from './auth/token.ts';
import { type BaseConfig, loadConfig, refuseRemoteDevelopment } from './config.ts';
import type { Runtime } from './context.ts';
import { cursors } from './cursor.ts';
import { createApp } from './http/app.ts';
import { type Routes, routes } from './http/handlers.ts';
import { idempotencyKeys, replyRing } from './http/idempotency.ts';
import { serve } from './http/server.ts';
import { jobHandlers } from './jobs.routes.ts';
import { connectMongo, probeTransactions } from './mongo/connection.ts';
import { type Collection, prepareCollection, type Stored } from './mongo/model.ts';
import type { Reaction } from './reaction.ts';
import { createLog } from './telemetry/log.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { currentTrace, withTrace } from './telemetry/trace.ts';
import type { Work } from './work.ts';

/** A service's contents page: what it owns, answers, reacts to and works on. */
export interface ServiceDefinition<Config extends BaseConfig = never> {
  name: ServiceName;
  config: z.ZodType<Config>;
  collections: readonly Collection<Stored>[];
  routes: readonly Routes[];
  reactions: readonly Reaction<never>[];
  work: readonly Work<never>[];
  /** Run once the store is ready, before requests are taken: seeds. May run in several replicas at once. */
  onStart?: readonly ((runtime: Runtime<Config>) => Promise<void>)[];
}

export interface RunningService<Config = unknown> {
  url: string;
  runtime: Runtime<Config>;
  stop(): Promise<void>;
}

/** Declares a service; keeps its configuration's type. */
export function defineService<Config extends BaseConfig>(
  definition: ServiceDefinition<Config>,
): ServiceDefinition<Config> {
  return definition;
}

/** Starts a service with the given variables. Raises one clear line when it must not or cannot start. */
export async function startService<Config extends BaseConfig>(
  service: ServiceDefinition<Config>,
  env: Record<string, string | undefined>,
): Promise<RunningService<Config>> {
  const reactions: readonly Reaction<never>[] = [...service.reactions, revocationReaction];
  requireSubscriptions(service.name, reactions);
  const config = loadConfig(service.config, env);
  refuseRemoteDevelopment(config);
  const log = createLog(service.name, config.LOG_LEVEL);
  const metrics = createMetrics(service.name);

  const connection = await connectMongo(config.MONGODB_URI, config.MONGODB_DB);
  await probeTransactions(connection);

  const runtime: Runtime<Config> = {
    config,
    connection,
    cursors: cursors(config.SERVICE_SECRET),
    log,
    messaging: undefined as never,
  };
  const messaging = createMessaging({
    service: service.name,
    connection,
    amqpUrl: config.AMQP_URL,
    redisUrl: config.REDIS_URL,
    redisPrefix: config.REDIS_PREFIX,
    role: config.ROLE,
    log,
    registry: metrics.registry,
    catalogue: events,
    subscriptions: subscribedTypes(),
    consumers: reactions.map((reaction) => reaction.bind(runtime as never, service.name)),
    jobs: service.work.map((work) => work.bind(runtime as never, service.name)),
    requestContext: {
      current: currentTrace,
      run: (trace, work) =>
        withTrace(
          { requestId: trace.requestId ?? '', traceparent: trace.traceparent ?? '', orgId: trace.orgId },
          work,
        ),
    },
  });
  runtime.messaging = messaging;

  for (const declared of [...service.collections, revokedTokens, idempotencyKeys]) {
    await prepareCollection(connection, declared);
  }
  await messaging.prepare();
  for (const seed of service.onStart ?? []) await seed(runtime);
  await messaging.start();

  const stopping = new AbortController();
  const app = httpSide(service, runtime, { metrics, stopping: stopping.signal });
  const server = await serve(app, { host: config.SERVICE_HOST, port: config.SERVICE_PORT });
  const { url } = server;
  log.info({ url, role: config.ROLE, mode: config.MUSTER_MODE }, 'ready');

  return {
    url,
    runtime,
    async stop() {
      stopping.abort();
      await server.close();
      await messaging.stop();
      await connection.close();
      log.info('stopped');
    },
  };
}

function httpSide<Config extends BaseConfig>(
  service: ServiceDefinition<Config>,
  runtime: Runtime<Config>,
  parts: { metrics: ReturnType<typeof createMetrics>; stopping: AbortSignal },
) {
  const { config, connection, messaging, log } = runtime;
  const answered = [...service.routes, routes(jobsApi(service.name), jobHandlers(messaging) as never)];
  const handlers = new Map(
    answered.flatMap(({ api, handlers }) =>
      Object.entries(handlers).map(([name, run]) => [`${api.tag}.${name}`, run]),
    ),
  );
  const table = routeTable(answered.map(({ api }) => api));
  const authenticate = authenticator({
    development: config.MUSTER_MODE === 'development',
    verify: tokenVerifier({
      issuer: config.TOKEN_ISSUER,
      audience: config.TOKEN_AUDIENCE,
      keyOf: keyStore(config.JWKS_URL),
    }),
    refuseRevoked: revocationCheck(connection),
  });
  return createApp({
    log,
    metrics: parts.metrics,
    readiness: { connection, messaging, ...parts },
    dispatch: {
      find: table.find,
      handlerOf: ({ route }) => {
        const handler = handlers.get(`${route.tag}.${route.name}`);
        if (!handler) throw new Error(`Nothing answers ${route.name}`);
        return handler;
      },
      authenticate,
      runtime: runtime as never,
      service: service.name,
      stopping: parts.stopping,
      replies: replyRing(config.SERVICE_SECRET),
    },
  });
}

/** The event types that each service listens to, for whoever declares the topology. */
function subscribedTypes(): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(subscriptions).map(([name, declared]) => [name, declared.map(({ type }) => type)]),
  );
}

/** A reaction that is not in the catalogue would never be delivered, one that is missing would lose events. */
function requireSubscriptions(service: ServiceName, reactions: readonly Reaction<never>[]): void {
  const declared = new Set(subscriptions[service]?.map(({ type }) => type));
  const present = new Set(reactions.map(({ declaration }) => declaration.type));
  const missing = [...declared].filter((type) => !present.has(type));
  const unknown = [...present].filter((type) => !declared.has(type));
  if (missing.length + unknown.length === 0) return;
  throw new Error(
    `The catalogue's subscriptions and the reactions differ: no reaction to [${missing.join(', ')}], not subscribed to [${unknown.join(', ')}]`,
  );
}
