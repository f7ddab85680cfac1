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

const params = z.object({ id: id.meta({ description: 'id of the event' }) });

export const eventsApi = api({
  service: 'security-ops',
  tag: 'Events',
  about: 'Security events as tools send them.',
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
        severity: filter(z.enum(EVENT_SEVERITIES), 'of the event'),
        status: filter(z.enum(EVENT_STATUSES), 'how far it is worked on'),
        source: filter(text(200), 'the tool that sent it'),
        technique: filter(technique, 'an ATT&CK technique, its sub-techniques too'),
        q: filter(text(200), 'whole words, all of which must be there'),
        from: filter(timestamp, 'happened at or after'),
        to: filter(timestamp, 'happened before'),
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
      query: z.strictObject({
        format: z
          .enum([...EVENT_FORMATS, 'auto'])
          .default('auto')
          .meta({ description: 'what the body is read as' }),
      }),
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
      description:
        '`raw` is what the source sent, as it came; the mapped fields stand beside it, and the triage of its group where there is one.',
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
