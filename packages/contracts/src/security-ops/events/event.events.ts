import { z } from 'zod';
import { defineEvent } from '../../core/event.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, id, technique, timestamp } from '../../core/primitives.ts';
import { EVENT_SEVERITIES } from '../triage/triage.schemas.ts';
import { EVENT_LIMITS, EVENT_STATUSES, eventDigest, eventDigestExample } from './event.schemas.ts';

const severity = z.enum(EVENT_SEVERITIES);
const count = z.int().min(1);

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
    gravest: z.array(eventDigest).max(EVENT_LIMITS.digests),
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
    gravest: [eventDigestExample],
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
