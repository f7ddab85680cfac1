import { z } from 'zod';
import { defineEvent } from '../../core/event.ts';
import {
  EXAMPLE_ID,
  EXAMPLE_TIME,
  id,
  scenarioFilename,
  technique,
  timestamp,
} from '../../core/primitives.ts';
import { metricsExample, operationMetrics, TECHNIQUE_RESULTS } from './operation.schemas.ts';

const result = z.object({
  technique,
  name: z.string(),
  result: z.enum(TECHNIQUE_RESULTS),
  executed_at: timestamp.nullable(),
  minutes_to_detect: z.number().nullable(),
});

export const operationCompleted = defineEvent({
  type: 'security-ops.operation.completed.v1',
  source: 'security-ops',
  summary: 'A purple-team operation ended; its record does not change any more.',
  aggregate: 'operation',
  data: z.object({
    operation_id: id,
    name: z.string(),
    scenario: scenarioFilename.nullable(),
    session_id: id.nullable(),
    started_at: timestamp,
    ended_at: timestamp,
    techniques: z.array(result),
    metrics: operationMetrics,
  }),
  example: {
    operation_id: EXAMPLE_ID,
    name: 'Ransomware rehearsal',
    scenario: 'ransomware-hospital.json',
    session_id: null,
    started_at: EXAMPLE_TIME,
    ended_at: '2026-03-01T12:00:00.000Z',
    techniques: [
      {
        technique: 'T1566.001',
        name: 'Spearphishing Attachment',
        result: 'detected',
        executed_at: EXAMPLE_TIME,
        minutes_to_detect: 12,
      },
    ],
    metrics: metricsExample,
  },
});

export const operationRemoved = defineEvent({
  type: 'security-ops.operation.removed.v1',
  source: 'security-ops',
  summary: 'A completed purple-team operation was removed: what it proved counts no more.',
  aggregate: 'operation',
  data: z.object({ operation_id: id }),
  example: { operation_id: EXAMPLE_ID },
});
