import { z } from 'zod';
import { EXAMPLE_ID } from '../../core/primitives.ts';

/** Who did it: a person, by session or token, or a service by itself. */
export const changeActor = z.object({
  id: z.string(),
  name: z.string(),
  via: z.enum(['session', 'api_token', 'development', 'system']),
});

export const CHANGE_RESULTS = ['done', 'refused', 'failed'] as const;

/** One command or change that the audit log tells: who did what to what, from where, and how it was before. Never holds a secret. */
export const change = z.object({
  actor: changeActor,
  address: z.string().nullable(),
  /** Verb in the past, such as `member.role_changed`. */
  action: z.string().regex(/^[a-z_]+\.[a-z_]+$/),
  object: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  request_id: z.string().nullable(),
  /** The endpoint by which it was asked for, such as `PATCH /api/members/{id}/`; null for what nobody asked for. */
  command: z.string().nullable().default(null),
  /** Whether it came about; `failed` is through no fault of whoever asked. */
  result: z.enum(CHANGE_RESULTS).default('done'),
  /** What was answered, where the entry tells a command. */
  status: z.int().nullable().default(null),
  /** Why it was refused, such as `forbidden`. */
  problem: z.string().nullable().default(null),
  /** Refusals that repeat within a minute are told once more, with their number. */
  times: z.int().min(1).default(1),
});

export const changeExample = {
  actor: { id: EXAMPLE_ID, name: 'Head of IT', via: 'session' as const },
  address: '192.0.2.10',
  action: 'member.role_changed',
  object: { kind: 'member', id: EXAMPLE_ID, name: 'it.operations@example.org' },
  before: { role: 'member' },
  after: { role: 'facilitator' },
  request_id: 'req-7f3a',
  command: 'PATCH /api/members/{id}/',
  result: 'done' as const,
  status: 200,
  problem: null,
  times: 1,
};
