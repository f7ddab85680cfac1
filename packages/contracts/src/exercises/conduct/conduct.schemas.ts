import { z } from 'zod';
import { EXAMPLE_ID, EXAMPLE_TIME, id, timestamp } from '../../core/primitives.ts';
import { regulatoryClock } from '../regulatory/regulatory.schemas.ts';
import { INJECT_TYPES, localId } from '../scenarios/scenario.schemas.ts';
import { recordedResponse } from '../sessions/session.schemas.ts';

/** Whether injects come by the clock, when their time is there, or only when the facilitator says so. */
export const RELEASES = ['clock', 'hand'] as const;

export const conductCommand = z
  .discriminatedUnion('command', [
    z.strictObject({ command: z.literal('start'), release: z.enum(RELEASES).optional() }),
    z.strictObject({ command: z.literal('pause') }),
    z.strictObject({ command: z.literal('resume') }),
    z.strictObject({ command: z.literal('release'), inject_id: localId }),
    z.strictObject({ command: z.literal('skip'), inject_id: localId }),
    z.strictObject({ command: z.literal('set_release'), release: z.enum(RELEASES) }),
  ])
  .meta({ id: 'ConductCommand', example: { command: 'release', inject_id: 'I2' } });
export type ConductCommand = z.output<typeof conductCommand>;

/** What everybody at the table sees. */
export const conduct = z
  .object({
    session_id: id,
    /** The session's version: what changes it changes this. */
    version: z.int(),
    phase: z.enum(['ready', 'running', 'paused', 'completed']),
    release: z.enum(RELEASES),
    /** Minutes played, pauses left out, at `as_of`. */
    elapsed_minutes: z.number(),
    as_of: timestamp,
    injects: z.array(
      z.object({
        id: localId,
        title: z.string(),
        type: z.enum(INJECT_TYPES),
        offset_minutes: z.number(),
        /** `withheld`: its time is there, but what it depends on did not happen. */
        status: z.enum(['waiting', 'released', 'withheld', 'skipped']),
        released_at: timestamp.nullable(),
        released_after_minutes: z.number().nullable(),
        released_by: z.string().nullable(),
      }),
    ),
    /** The inject that the clock releases next. */
    next: z.object({ inject_id: localId, in_minutes: z.number() }).nullable(),
    decisions: z.array(recordedResponse),
    clocks: z.array(regulatoryClock),
  })
  .meta({
    id: 'Conduct',
    example: {
      session_id: EXAMPLE_ID,
      version: 4,
      phase: 'running',
      release: 'clock',
      elapsed_minutes: 12.5,
      as_of: '2026-03-01T09:42:30.000Z',
      injects: [
        {
          id: 'I1',
          title: 'Encrypted shares',
          type: 'standard',
          offset_minutes: 0,
          status: 'released',
          released_at: EXAMPLE_TIME,
          released_after_minutes: 0,
          released_by: null,
        },
      ],
      next: null,
      decisions: [
        {
          inject_id: 'I1',
          at_minutes: 12,
          actions: ['A1'],
          decision: 'We isolated both file servers.',
          notes: '',
          recorded_by: 'Head of IT',
          recorded_at: '2026-03-01T09:42:00.000Z',
        },
      ],
      clocks: [],
    },
  });
export type Conduct = z.output<typeof conduct>;
