import { z } from 'zod';
import type { ServiceName } from '../../core/endpoint.ts';
import { defineEvent } from '../../core/event.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, id, timestamp } from '../../core/primitives.ts';

/** Who did it: a person, by session or token, or a service by itself. */
export const changeActor = z.object({
  id: z.string(),
  name: z.string(),
  via: z.enum(['session', 'api_token', 'development', 'system']),
});

/** One change that the audit log tells: who did what to what, from where, and how it was before. Never holds a secret. */
const change = {
  actor: changeActor,
  address: z.string().nullable(),
  /** Verb in the past, such as `member.role_changed`. */
  action: z.string().regex(/^[a-z_]+\.[a-z_]+$/),
  object: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  request_id: z.string().nullable(),
};

const changeExample = {
  actor: { id: EXAMPLE_ID, name: 'Head of IT', via: 'session' as const },
  address: '192.0.2.10',
  action: 'member.role_changed',
  object: { kind: 'member', id: EXAMPLE_ID, name: 'it.operations@example.org' },
  before: { role: 'member' },
  after: { role: 'facilitator' },
  request_id: 'req-7f3a',
};

/** The event by which a service tells its changes to the audit log. */
export function changeRecordedBy<Service extends ServiceName>(source: Service) {
  return defineEvent({
    type: `${source}.change.recorded.v1`,
    source,
    summary: 'Somebody changed something that the audit log keeps.',
    aggregate: 'change',
    data: z.object(change),
    example: changeExample,
  });
}

export const auditEntry = z.object({ id, at: timestamp, service: z.string(), ...change }).meta({
  id: 'AuditEntry',
  example: { id: EXAMPLE_ID, at: EXAMPLE_TIME, service: 'identity', ...changeExample },
});
export type AuditEntry = z.output<typeof auditEntry>;
