import { z } from 'zod';
import type { ServiceName } from './endpoint.ts';
import { timestamp } from './primitives.ts';

/** One declared domain event. `type` is `<service>.<noun>.<what happened>.v<version>` and its routing key. */
export interface EventDeclaration {
  type: `${string}.v${number}`;
  source: ServiceName;
  summary: string;
  /** What `subject` names and `seq` orders, such as `session`. */
  aggregate: string;
  data: z.ZodType;
  example: unknown;
}

const declared = new WeakSet<object>();

/** Declares one event; keeps its literal types. */
export function defineEvent<const E extends EventDeclaration>(declaration: E): E {
  declared.add(declaration);
  return declaration;
}

/** True for what {@link defineEvent} made. */
export function isEvent(value: unknown): value is EventDeclaration {
  return typeof value === 'object' && value !== null && declared.has(value);
}

/** CloudEvents 1.0 in structured JSON mode, https://github.com/cloudevents/spec. `seq` is the aggregate's version. */
export const cloudEvent = z.object({
  specversion: z.literal('1.0'),
  id: z.string(),
  source: z.string(),
  type: z.string(),
  subject: z.string(),
  time: timestamp,
  datacontenttype: z.literal('application/json'),
  orgid: z.string(),
  seq: z.int().min(0),
  traceparent: z.string().optional(),
  requestid: z.string().optional(),
  data: z.unknown(),
});
export type CloudEvent<Data = unknown> = Omit<z.output<typeof cloudEvent>, 'data'> & { data: Data };

export type EventData<E extends EventDeclaration> = z.output<E['data']>;
export type EventInput<E extends EventDeclaration> = z.input<E['data']>;
