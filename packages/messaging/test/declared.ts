import type { CloudEvent, EventData, EventDeclaration } from '@muster/contracts';
import type { z } from 'zod';
import type { Consumer, ConsumerTx, JobContext, JobKind, JobResult } from '../src/index.ts';

// What a service declares by its kit, as these tests need it: with types, and with what every test would say alike.

type Options = Partial<Pick<Consumer, 'name' | 'order'>>;

export function consumer<E extends EventDeclaration>(
  declaration: E,
  handle: (event: CloudEvent<EventData<E>>, tx: ConsumerTx) => Promise<void>,
  options: Options = {},
): Consumer {
  return {
    name: declaration.type,
    order: 'aggregate',
    ...options,
    declaration,
    handle: (event, tx) => handle(event as CloudEvent<EventData<E>>, tx),
  };
}

export function batchConsumer<E extends EventDeclaration>(
  declaration: E,
  handle: (events: readonly CloudEvent<EventData<E>>[], tx: ConsumerTx) => Promise<void>,
  options: Options = {},
): Consumer {
  return {
    ...consumer(declaration, (event, tx) => handle([event], tx), options),
    handleAll: (events, tx) => handle(events as readonly CloudEvent<EventData<E>>[], tx),
  };
}

export function jobKind<Payload extends z.ZodType>({
  run,
  ...declaration
}: Partial<JobKind> & {
  kind: string;
  payload: Payload;
  run: (context: JobContext, payload: z.output<Payload>) => Promise<JobResult>;
}): JobKind {
  return {
    attempts: 5,
    backoff: { baseMs: 1_000, maxMs: 60_000 },
    timeoutMs: 60_000,
    concurrency: 4,
    ...declaration,
    run: (context, payload) => run(context, payload as z.output<Payload>),
  };
}
