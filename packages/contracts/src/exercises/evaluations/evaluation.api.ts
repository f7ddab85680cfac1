import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { job } from '../../core/job.ts';
import { id } from '../../core/primitives.ts';
import { evaluation, evaluationRequest } from './evaluation.schemas.ts';

const params = z.object({ id });

export const evaluationsApi = api({
  service: 'exercises',
  tag: 'Evaluations',
  endpoints: {
    evaluateSession: endpoint({
      method: 'POST',
      path: '/api/sessions/{id}/evaluation/',
      summary: 'Evaluate a completed session, or store an evaluation that another AI wrote',
      description:
        'Without a body the evaluation worker writes one. With `{evaluation}` the given one is checked and stored: every quote must stand in the session. 409 while the session is in progress.',
      role: 'facilitator',
      scope: 'evaluations:write',
      params,
      body: evaluationRequest,
      delivery: 'queue',
      responses: { 201: evaluation, 202: job },
    }),
    getEvaluation: endpoint({
      method: 'GET',
      path: '/api/sessions/{id}/evaluation/',
      summary: "Return a session's latest evaluation",
      role: 'viewer',
      scope: 'sessions:read',
      params,
      responses: { 200: evaluation },
    }),
  },
});
