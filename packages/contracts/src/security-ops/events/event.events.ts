import { z } from 'zod';
import { engine } from '../../core/engine.ts';
import { defineEvent } from '../../core/event.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, id, technique, timestamp } from '../../core/primitives.ts';
import { priority } from '../../exercises/evaluations/evaluation.schemas.ts';
import { EVENT_SEVERITIES, eventGroup, VERDICTS } from '../triage/triage.schemas.ts';
import { EVENT_LIMITS, EVENT_STATUSES } from './event.schemas.ts';

const severity = z.enum(EVENT_SEVERITIES);
const count = z.int().min(1);

const digest = z.object({
  id,
  title: z.string(),
  severity,
  source: z.string(),
  category: z.string().nullable(),
  techniques: z.array(technique),
  asset_kinds: z.array(z.string()),
  occurred_at: timestamp,
});
const digestExample = {
  id: EXAMPLE_ID,
  title: 'Mass file encryption on FS-02',
  severity: 'critical' as const,
  source: 'endpoint-protection',
  category: 'malware',
  techniques: ['T1486'],
  asset_kinds: ['host'],
  occurred_at: EXAMPLE_TIME,
};

export const eventsReceived = defineEvent({
  type: 'security-ops.events.received.v1',
  source: 'security-ops',
  summary: 'Security events were stored: one of these for each batch, of one event or of ten thousand.',
  aggregate: 'events',
  data: z.object({
    batch_id: id,
    count,
    by_severity: z.partialRecord(severity, count),
    by_source: z.record(z.string(), count).meta({ description: 'the hundred most frequent' }),
    techniques: z.record(technique, count),
    first_id: id,
    last_id: id,
    received_at: timestamp,
    gravest: z.array(digest).max(EVENT_LIMITS.digests),
  }),
  example: {
    batch_id: EXAMPLE_ID,
    count: 1,
    by_severity: { critical: 1 },
    by_source: { 'endpoint-protection': 1 },
    techniques: { T1486: 1 },
    first_id: EXAMPLE_ID,
    last_id: EXAMPLE_ID,
    received_at: EXAMPLE_TIME,
    gravest: [digestExample],
  },
});

export const eventTriaged = defineEvent({
  type: 'security-ops.event.triaged.v1',
  source: 'security-ops',
  summary: 'A group of like security events was triaged; `seq` counts the triages of the group.',
  aggregate: 'event',
  data: z.object({
    ...digest.omit({ id: true }).shape,
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
    ...{ title: digestExample.title, severity: digestExample.severity, source: digestExample.source },
    ...{ category: 'malware', techniques: ['T1486'], asset_kinds: ['host'], occurred_at: EXAMPLE_TIME },
    event_id: EXAMPLE_ID,
    group: { id: 'q3rZ0pV8cQm1Yx2nT7uKbA', size: 1 },
    verdict: 'true_positive',
    priority: 'P1',
    confidence: 0.85,
    training_value: 80,
    engine: { kind: 'rules', degraded: false },
    triaged_at: EXAMPLE_TIME,
  },
});

const status = z.enum(EVENT_STATUSES);

export const eventMoved = defineEvent({
  type: 'security-ops.event.moved.v1',
  source: 'security-ops',
  summary: 'Somebody moved the status of a security event; `seq` is the version of the event.',
  aggregate: 'event',
  data: z.object({ event_id: id, severity, from: status, to: status, moved_at: timestamp }),
  example: {
    event_id: EXAMPLE_ID,
    severity: 'critical',
    from: 'in_progress',
    to: 'resolved',
    moved_at: EXAMPLE_TIME,
  },
});

export const eventsCounted = defineEvent({
  type: 'security-ops.events.counted.v1',
  source: 'security-ops',
  summary:
    'An organization has another number of open security events than before: some came, were moved or expired. Those that come in a row are counted once.',
  aggregate: 'events',
  data: z.object({
    open: z.int().min(0).meta({ description: 'neither resolved nor closed' }),
    counted_at: timestamp,
  }),
  example: { open: 17, counted_at: EXAMPLE_TIME },
});
