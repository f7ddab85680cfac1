import { z } from 'zod';
import { engine } from '../../core/engine.ts';
import { defineEvent } from '../../core/event.ts';
import { EXAMPLE_TIME, id, timestamp } from '../../core/primitives.ts';
import { priority } from '../../exercises/evaluations/evaluation.schemas.ts';
import { eventDigest, eventDigestExample } from '../events/event.schemas.ts';
import { eventGroup, VERDICTS } from './triage.schemas.ts';

const { id: event_id, ...digest } = eventDigestExample;

export const eventTriaged = defineEvent({
  type: 'security-ops.event.triaged.v1',
  source: 'security-ops',
  summary: 'A group of like security events was triaged; `seq` counts the triages of the group.',
  aggregate: 'event',
  data: z.object({
    ...eventDigest.omit({ id: true }).shape,
    event_id: id,
    group: eventGroup,
    verdict: z.enum(VERDICTS),
    priority,
    confidence: z.number(),
    training_value: z.int(),
    engine,
    triaged_at: timestamp,
  }),
  example: {
    ...digest,
    event_id,
    group: { id: 'q3rZ0pV8cQm1Yx2nT7uKbA', size: 1 },
    verdict: 'true_positive',
    priority: 'P1',
    confidence: 0.85,
    training_value: 80,
    engine: { kind: 'rules', degraded: false },
    triaged_at: EXAMPLE_TIME,
  },
});
