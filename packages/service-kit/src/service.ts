import { jobsApi, parkedApi, routeTable, type ServiceName } from '@muster/contracts';
import { accessCheck } from './access/check.ts';
import { accessCopies } from './access/copies.ts';
import { standingSource } from './access/standing.ts';
import { tokenUses } from './access/token-use.ts';
import { systemActor } from './auth/actor.ts';
import { authenticator } from './auth/authenticate.ts';
import { gatewayProofs } from './auth/gateway-proof.ts';
import { keyStore } from './auth/jwks.ts';
import { tokenVerifier } from './auth/token.ts';
import { loadConfig, refuseRemoteDevelopment, type ServiceConfig } from './config.ts';
import { type Ctx, createContext, type Runtime } from './context.ts';
import { gatheringRows } from './gathering.ts';
import { requireDeclared } from './http/answers.ts';
import { createApp } from './http/app.ts';
import { type CommandAudits, commandAudits } from './http/audit.ts';
import { type Routes, routes } from './http/handlers.ts';
import { hostCheck } from './http/host.ts';
import { idempotencyKeys, replyRing } from './http/idempotency.ts';
import { createPlaces } from './http/places.ts';
import { serve } from './http/server.ts';
import { jobHandlers } from './jobs.routes.ts';
import { connectMongo, probeTransactions } from './mongo/connection.ts';
import { type Collection, modelOn, prepareCollection, SHARED_ORG, type Stored } from './mongo/model.ts';
import type { GiveUp } from './mongo/watch.ts';
import { parkedHandlers } from './parked.routes.ts';
import type { Reactions } from './reaction.ts';
import { createRuntime } from './runtime.ts';
import { settingsCopies } from './settings/settings.ts';
import { createLog } from './telemetry/log.ts';
import { createMetrics } from './telemetry/metrics.ts';
import type { Telemetry } from './telemetry/span.ts';
import { openTelemetry } from './telemetry/telemetry.ts';
import { listWork, requireListed, type Work } from './work.ts';

const UNASKED_DEADLINE_MS = 10 * 60_000;

/** A service's contents page: what it owns, answers, reacts to and works on. */
export interface ServiceDefinition<Name extends ServiceName = ServiceName> {
  name: Name;
  config: ServiceConfig;
  collections: readonly Collection<Stored>[];
  routes: readonly Routes[];
  reactions: Reactions<NoInfer<Name>>;
  work: readonly Work[];
  /**
   * Run once the store is ready, before requests are taken, with a context of {@link SHARED_ORG}: seeds, and what the
   * service schedules for itself. May run in several replicas at once.
   */
  onStart?: readonly ((ctx: Ctx) => Promise<void>)[];
}

export interface RunningService {
  url: string;
  /** The service itself at work for an organization, without a request: commands and tests. */
  forOrganization(org: string): Ctx;
  /** What the process holds, for tests. */
  runtime: Runtime;
  stop(): Promise<void>;
}

/** Declares a service. */
export function defineService<const Name extends ServiceName>(
  definition: ServiceDefinition<Name>,
): ServiceDefinition<Name> {
  listWork(definition.work);
  return definition;
}

/**
 * Starts a service with the given variables. Raises one clear line when it must not or cannot start.
 * @param giveUp called when an engine's driver hangs: only another process can serve now
 */
export async function startService(
  service: ServiceDefinition,
  env: Record<string, string | undefined>,
  giveUp?: GiveUp,
): Promise<RunningService> {
  requireListed();
  const config = loadConfig(service.config.schema, env);
  refuseRemoteDevelopment(config);
  const log = createLog(service.name, config.LOG_LEVEL);
  const metrics = createMetrics(service.name);
  const connection = await connectMongo(config.MONGODB_URI, config.MONGODB_DB, { giveUp });
  const telemetry = await openTelemetry(
    { service: service.name, metrics, log },
    config.OTEL_EXPORTER_OTLP_ENDPOINT,
  );
  try {
    const runtime = createRuntime({ service, config, connection, log, metrics, begin: telemetry.begin });
    await prepareStore(service, runtime, giveUp);
    await runtime.messaging.start();
    const stopping = new AbortController();
    const audits = commandAudits(runtime);
    const app = httpSide(service, runtime, { metrics, telemetry, audits, stopping: stopping.signal });
    const server = await serve(app, { host: config.SERVICE_HOST, port: config.SERVICE_PORT });
    const { url } = server;
    log.info({ url, role: config.ROLE, mode: config.MUSTER_MODE }, 'ready');

    return {
      url,
      forOrganization: (org) => unasked(runtime, org),
      runtime,
      async stop() {
        stopping.abort();
        await server.close();
        await audits.stop();
        await runtime.messaging.stop();
        await connection.close();
        await telemetry.stop();
        log.info('stopped');
      },
    };
  } catch (error) {
    await connection.close();
    await telemetry.stop();
    throw error;
  }
}

/** An engine that keeps its word, every collection with its indexes, and what must be there from the beginning. */
async function prepareStore(service: ServiceDefinition, runtime: Runtime, giveUp?: GiveUp): Promise<void> {
  const { config, connection, messaging } = runtime;
  await probeTransactions(connection);
  // The larger a collection, the longer an index that an update adds to it takes.
  const patient = await connectMongo(config.MONGODB_URI, config.MONGODB_DB, { silenceMs: 0, giveUp });
  try {
    for (const declared of [
      ...service.collections,
      accessCopies,
      settingsCopies,
      idempotencyKeys,
      gatheringRows,
    ]) {
      // Compiled now: a declaration that is wrong stops the start, not a request.
      modelOn(connection, declared);
      await prepareCollection(patient, declared);
    }
  } finally {
    await patient.close();
  }
  await messaging.prepare();
  for (const seed of service.onStart ?? []) await seed(unasked(runtime, SHARED_ORG));
}

/** The context of work that nobody asked for. */
function unasked(runtime: Runtime, org: string): Ctx {
  const signal = AbortSignal.timeout(UNASKED_DEADLINE_MS);
  return createContext(runtime, { actor: systemActor(org, runtime.service), signal });
}

function httpSide(
  service: ServiceDefinition,
  runtime: Runtime,
  parts: {
    metrics: ReturnType<typeof createMetrics>;
    telemetry: Telemetry;
    audits: CommandAudits;
    stopping: AbortSignal;
  },
) {
  const { config, connection, messaging, log } = runtime;
  const answered = [
    ...service.routes,
    routes(jobsApi(service.name), jobHandlers(messaging)),
    routes(parkedApi(service.name), parkedHandlers(runtime)),
  ];
  const handlers = new Map(
    answered.flatMap(({ api, handlers }) =>
      Object.entries(handlers).map(([name, run]) => [`${api.tag}.${name}`, run]),
    ),
  );
  const table = routeTable(answered.map(({ api }) => api));
  const authenticate = authenticator({
    proofs: config.MUSTER_MODE === 'development' ? gatewayProofs(config.SERVICE_SECRET) : undefined,
    verify: tokenVerifier({
      issuer: config.TOKEN_ISSUER,
      audience: config.TOKEN_AUDIENCE,
      keyOf: keyStore(config.JWKS_URL),
    }),
    admit: accessCheck(connection, standingSource(config)),
    used: tokenUses(runtime),
  });
  return createApp({
    log,
    metrics: parts.metrics,
    begin: parts.telemetry.begin,
    checkHost: hostCheck(config),
    readiness: { connection, messaging, ...parts },
    dispatch: {
      find: table.find,
      handlerOf: ({ route }) => {
        const handler = handlers.get(`${route.tag}.${route.name}`);
        if (!handler) throw new Error(`Nothing answers ${route.name}`);
        return handler;
      },
      authenticate,
      audits: parts.audits,
      runtime,
      stopping: parts.stopping,
      places: createPlaces(),
      replies: replyRing(config.SERVICE_SECRET),
      checkAnswer: config.MUSTER_MODE === 'development' ? requireDeclared : undefined,
    },
  });
}
