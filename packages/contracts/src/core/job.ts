import { v7 } from 'uuid';
import { z } from 'zod';
import { SERVICES, type ServiceName } from './endpoint.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, id, timestamp } from './primitives.ts';
import { problem } from './problem.ts';

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const job = z
  .object({
    id,
    kind: z.string(),
    status: z.enum(JOB_STATUSES),
    progress: z.object({ done: z.number(), total: z.number().nullable(), message: z.string() }),
    result: z
      .object({
        href: z.string(),
        /** False where the work found that what it names was there already. */
        created: z.boolean().optional(),
      })
      .nullable(),
    error: problem.nullable(),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
    attempts: z.int(),
  })
  .meta({
    id: 'Job',
    example: {
      id: EXAMPLE_ID,
      kind: 'dashboard-rebuild',
      status: 'running',
      progress: { done: 40, total: 120, message: 'Reading sessions' },
      result: null,
      error: null,
      created_at: EXAMPLE_TIME,
      started_at: EXAMPLE_TIME,
      finished_at: null,
      attempts: 1,
    },
  });
export type Job = z.output<typeof job>;

/**
 * A new job id: a UUIDv7 whose last two random digits name the owning service, so that the gateway
 * finds the owner of `/api/jobs/{id}` without asking around.
 */
export function newJobId(service: ServiceName): string {
  return v7().slice(0, -2) + SERVICES.indexOf(service).toString(16).padStart(2, '0');
}

/** The service that owns a job id, or null when no service could have made it. */
export function jobOwner(jobId: string): ServiceName | null {
  if (!id.safeParse(jobId).success) return null;
  return SERVICES[Number.parseInt(jobId.slice(-2), 16)] ?? null;
}
