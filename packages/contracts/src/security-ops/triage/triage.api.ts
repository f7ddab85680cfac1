import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { job } from '../../core/job.ts';
import { id } from '../../core/primitives.ts';
import { triage } from './triage.schemas.ts';

const params = z.object({ id: id.meta({ description: 'id of the event' }) });

export const triageApi = api({
  service: 'security-ops',
  tag: 'Triage',
  about: 'What an event means and what to do about it, with the evidence.',
  endpoints: {
    triageEvent: endpoint({
      method: 'POST',
      path: '/api/events/{id}/triage/',
      summary: 'Triage an event together with all that are like it',
      description:
        'Like events that came within a day are one group and are judged once: 201 with the new triage, or 200 with the one the group has had for less than a day. New events of the group become triaged.',
      role: 'facilitator',
      scope: 'triage:write',
      params,
      delivery: 'queue',
      responses: { 200: triage, 201: triage, 202: job },
    }),
    getTriage: endpoint({
      method: 'GET',
      path: '/api/events/{id}/triage/',
      summary: "Return the triage of an event's group",
      description:
        'Verdict, priority, the evidence for each reason, and the events judged with it. 404 before the first triage.',
      role: 'viewer',
      scope: 'events:read',
      params,
      responses: { 200: triage },
    }),
  },
});
