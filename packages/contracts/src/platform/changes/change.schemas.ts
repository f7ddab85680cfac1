import { z } from 'zod';
import { EXAMPLE_ID } from '../../core/primitives.ts';

/** Who did it: a person, by session or token, or a service by itself. */
export const changeActor = z.object({
  id: z.string(),
  name: z.string(),
  via: z.enum(['session', 'api_token', 'development', 'system']),
});

/** One change that the audit log tells: who did what to what, from where, and how it was before. Never holds a secret. */
export const change = z.object({
  actor: changeActor,
  address: z.string().nullable(),
  /** Verb in the past, such as `member.role_changed`. */
  action: z.string().regex(/^[a-z_]+\.[a-z_]+$/),
  object: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  request_id: z.string().nullable(),
});

export const changeExample = {
  actor: { id: EXAMPLE_ID, name: 'Head of IT', via: 'session' as const },
  address: '192.0.2.10',
  action: 'member.role_changed',
  object: { kind: 'member', id: EXAMPLE_ID, name: 'it.operations@example.org' },
  before: { role: 'member' },
  after: { role: 'facilitator' },
  request_id: 'req-7f3a',
};
