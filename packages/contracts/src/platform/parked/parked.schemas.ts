import { z } from 'zod';
import { listOf } from '../../core/lists.ts';
import { EXAMPLE_ID, timestamp } from '../../core/primitives.ts';

export const parkedMessage = z
  .object({
    id: z.string().meta({ description: "The event's id." }),
    type: z.string(),
    subject: z.string(),
    reason: z.string().meta({ description: 'Why it was given up.' }),
    attempts: z.int().min(0),
    parked_at: timestamp,
  })
  .meta({
    id: 'ParkedMessage',
    example: {
      id: EXAMPLE_ID,
      type: 'exercises.session.completed.v1',
      subject: EXAMPLE_ID,
      reason: 'the data does not fit exercises.session.completed.v1: title: Invalid input',
      attempts: 5,
      parked_at: '2026-03-01T09:30:00.000Z',
    },
  });
export type ParkedMessage = z.output<typeof parkedMessage>;

const outbox = z
  .object({
    pending: z.int().min(0).meta({ description: 'Counted up to 10 000.' }),
    oldest_age_seconds: z.number().min(0),
  })
  .meta({
    description: "The whole service's events that wait to be published.",
    example: { pending: 0, oldest_age_seconds: 0 },
  });

export const parkedList = listOf(parkedMessage)
  .extend({ outbox })
  .meta({
    example: {
      items: [parkedMessage.meta()?.example],
      next_cursor: null,
      total: 1,
      outbox: outbox.meta()?.example,
    },
  });

export const replayed = z
  .object({
    replayed: z.int().min(0),
    left: z.int().min(0).meta({ description: 'How many are still parked.' }),
  })
  .meta({ example: { replayed: 3, left: 0 } });
