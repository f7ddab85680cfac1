import { randomUUID } from 'node:crypto';
import type { mongo } from 'mongoose';
import { createLink, type Link } from './bus/link.ts';
import { createPublisher } from './bus/publisher.ts';
import { declareTopology } from './bus/topology.ts';
import type { NewEvent } from './events/event.ts';
import { createIntake } from './inbox/intake.ts';
import { createParkedMessages, type ParkedMessages, resendTo } from './inbox/parked.ts';
import { createJobEngine } from './jobs/engine.ts';
import { createEnqueue } from './jobs/enqueue.ts';
import type { NewJob } from './jobs/job.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { NewSchedule } from './jobs/schedule.ts';
import { createMetrics } from './metrics.ts';
import { checkOptions, DEFAULT_TIMINGS, type MessagingOptions, type Subscriptions } from './options.ts';
import { createEmit } from './outbox/emit.ts';
import { createOutbox, type Outbox, type OutboxHealth } from './outbox/outbox.ts';
import { createLoop, within } from './process/loop.ts';
import type { Check, Parts } from './process/part.ts';
import { collectionsOf, prepareCollections } from './store/collections.ts';

/** How a service's facts and work travel. */
export interface Messaging {
  /** Makes and verifies collections and indexes. @throws Error when the database did not make one */
  prepare(): Promise<void>;
  /** Begins; resolves at once. An engine that is away is tried until it is there. */
  start(): Promise<void>;
  /** Stops taking work, finishes what is under way, publishes what is pending; at most 25 s. */
  stop(): Promise<void>;
  health(): { amqp: Check; redis: Check & { refused?: true }; outbox: OutboxHealth };
  /** Adds events to the transaction. @throws Error when one does not fit its declaration */
  emit(session: mongo.ClientSession, events: readonly NewEvent[]): Promise<void>;
  /** Call it after the commit: what was committed leaves within milliseconds instead of at the next poll. */
  nudge(): void;
  /** Adds a job to the transaction. @returns its id @throws Error when the kind is unknown or the payload does not fit */
  enqueue(session: mongo.ClientSession, job: NewJob): Promise<string>;
  /** Sets recurring work in the transaction. @returns when it runs next @throws Error when the kind is unknown */
  schedule(session: mongo.ClientSession, schedule: NewSchedule): Promise<Date>;
  /** Ends recurring work in the transaction. True when there was such. */
  unschedule(session: mongo.ClientSession, schedule: Pick<NewSchedule, 'org' | 'id'>): Promise<boolean>;
  jobs: Jobs;
  /** Messages given up in this service. */
  parked: Pick<ParkedMessages, 'list' | 'count' | 'get' | 'replay'>;
  outbox: Pick<Outbox, 'republish'>;
}

const FLUSH_MS = 4_000;
const CLOSING_MS = 3_000;

/**
 * Puts messaging together for one process; nothing starts yet.
 * @throws Error with one line when the options could not work
 */
export function createMessaging(options: MessagingOptions): Messaging {
  checkOptions(options);
  const parts: Parts = {
    options,
    collections: collectionsOf(options.connection),
    timings: { ...DEFAULT_TIMINGS, ...options.timings },
    metrics: createMetrics(options.registry),
    log: options.log,
    owner: randomUUID(),
    nudge: () => nudge(),
  };
  const { service, requestContext } = options;
  const { collections, timings, log } = parts;
  const subscriptions = withOwn(options);

  const declared = new Set(options.catalogue.map(({ type }) => type));
  const kinds = new Map(options.jobs.map((kind) => [kind.kind, kind]));
  const emit = createEmit({ service, outbox: collections.outbox, declared, requestContext });
  const enqueue = createEnqueue({ service, jobs: collections.jobs, kinds, requestContext });

  const publisher = createPublisher({ link: (): Link => link, confirmMs: timings.confirmMs });
  const link = createLink({
    url: options.amqpUrl,
    name: `${service} publish`,
    maxWaitMs: timings.reconnectMs,
    log,
    heartbeatMs: timings.heartbeatMs,
    async setup(model, down) {
      await declareTopology(model, subscriptions);
      await publisher.setup(model, down);
    },
    onOpen: () => outbox.nudge(),
  });
  const parked = createParkedMessages({
    rows: collections.parked,
    metrics: parts.metrics,
    resend: resendTo(service, publisher),
  });
  const outbox = createOutbox(parts, { link, publisher, subscriptions });
  const jobs = createJobEngine(parts, { emit, enqueue });
  const consumes = options.role !== 'api' && options.consumers.length > 0;
  const ports = { emit, enqueue, parked, publisher, subscriptions };
  const intake = consumes ? createIntake(parts, ports) : undefined;
  const watchdog = createLoop({
    name: 'watchdog',
    everyMs: timings.watchdogMs / 4,
    log,
    async pass() {
      await intake?.checkAlive();
      await jobs.checkAlive();
    },
  });

  function nudge(): void {
    outbox.nudge();
    jobs.nudge();
  }

  async function stopInOrder(): Promise<void> {
    const patienceMs = Math.max(0, timings.stopMs - FLUSH_MS - CLOSING_MS);
    await watchdog.stop();
    await Promise.all([
      within(patienceMs, 'messages were under way', intake?.drain() ?? Promise.resolve()).catch(
        () => undefined,
      ),
      jobs.drain(patienceMs),
    ]);
    await intake?.close();
    await outbox.stop(FLUSH_MS);
    await jobs.close();
    await link.stop();
  }

  return {
    prepare: () => prepareCollections(options.connection),
    async start() {
      link.start();
      outbox.start();
      jobs.start();
      intake?.start();
      watchdog.start();
    },
    async stop() {
      await within(timings.stopMs, 'not everything ended in time', stopInOrder()).catch((err: unknown) => {
        log.warn({ err }, 'the stop was cut short; what was under way is done again elsewhere');
      });
    },
    health: () => ({
      amqp: worst(link.status(), intake?.health()),
      redis: jobs.health(),
      outbox: outbox.health(),
    }),
    emit,
    nudge,
    enqueue,
    schedule: jobs.schedules.set,
    unschedule: jobs.schedules.remove,
    jobs: jobs.jobs,
    parked,
    outbox: { republish: outbox.republish },
  };
}

/** The subscriptions that are known, this process's own consumers among them. */
function withOwn({ service, consumers, subscriptions }: MessagingOptions): Subscriptions {
  const own = consumers.map(({ declaration }) => declaration.type);
  return { ...subscriptions, [service]: [...new Set([...(subscriptions?.[service] ?? []), ...own])] };
}

const worst = (publish: Check, consume: Check | undefined) =>
  publish.status === 'ok' && consume ? consume : publish;
