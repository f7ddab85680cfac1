import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { id, technique, text, timestamp } from '../../core/primitives.ts';
import { EVENT_SEVERITIES } from '../triage/triage.schemas.ts';
import {
  EVENT_FORMATS,
  EVENT_LIMITS,
  EVENT_STATUSES,
  eventBatchResult,
  eventChange,
  eventDelivery,
  eventSummary,
  securityEvent,
} from './event.schemas.ts';

const params = z.object({ id });

export const eventsApi = api({
  service: 'security-ops',
  tag: 'Events',
  endpoints: {
    listEvents: endpoint({
      method: 'GET',
      path: '/api/events/',
      summary:
        'List security events: the latest received first, with `from` or `to` the latest that happened',
      description:
        '`q` finds whole words of title, source, assets, users and indicators; all of them must be there. A technique stands for its sub-techniques too. `from` and `to` bound `occurred_at`. `total` is exact without filters and by `severity` and `status`; with any other filter it is counted up to 10 000, which then stands for that many or more. Where several filters each fit thousands of events, an answer looks through some of them: a page may have fewer items than `limit` and still a `next_cursor`, which goes on, and `total` counts among the latest 20 000 of one filter.',
      role: 'viewer',
      scope: 'events:read',
      query: z.strictObject({
        ...page,
        severity: filter(z.enum(EVENT_SEVERITIES)),
        status: filter(z.enum(EVENT_STATUSES)),
        source: filter(text(200)),
        technique: filter(technique),
        q: filter(text(200)),
        from: filter(timestamp),
        to: filter(timestamp),
      }),
      responses: { 200: listOf(eventSummary) },
    }),
    ingestEvents: endpoint({
      method: 'POST',
      path: '/api/events/',
      summary: 'Take one security event, or a batch',
      description:
        'One JSON object answers 201 with the event, or 200 with the first of its `(source, external_id)`. A JSON array, NDJSON or lines of CEF are a batch of at most 10 000 and 10 MiB and answer 200 with what became of each: what cannot be read is rejected by its place and all else is stored, in one transaction. OCSF findings, ECS, CEF and TheHive alerts are recognised one by one; `format` forces one.',
      role: 'member',
      scope: 'events:write',
      query: z.strictObject({ format: z.enum([...EVENT_FORMATS, 'auto']).default('auto') }),
      body: eventDelivery,
      unparsed: true,
      accepts: ['application/json', 'application/x-ndjson', 'text/plain'],
      maxBytes: EVENT_LIMITS.batchBytes,
      responses: {
        200: z.union([eventBatchResult, securityEvent]).meta({ example: eventBatchResult.meta()?.example }),
        201: securityEvent,
      },
    }),
    getEvent: endpoint({
      method: 'GET',
      path: '/api/events/{id}/',
      summary: 'Return one event with what its source sent and its triage',
      role: 'viewer',
      scope: 'events:read',
      params,
      responses: { 200: securityEvent },
    }),
    updateEvent: endpoint({
      method: 'PATCH',
      path: '/api/events/{id}/',
      summary: 'Move the status of an event',
      description:
        'Forwards from new over triaged, in_progress and resolved to closed, any step may be left out; resolved and closed may be taken up again as in_progress. Any other move answers 409.',
      role: 'member',
      scope: 'events:write',
      params,
      body: eventChange,
      responses: { 200: securityEvent },
    }),
  },
});
