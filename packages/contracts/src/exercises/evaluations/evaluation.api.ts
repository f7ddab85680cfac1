import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { job } from '../../core/job.ts';
import { id } from '../../core/primitives.ts';
import { evaluation, evaluationRequest } from './evaluation.schemas.ts';

const params = z.object({ id: id.meta({ description: 'id of the session' }) });

export const evaluationsApi = api({
  service: 'exercises',
  tag: 'Evaluations',
  about: 'What went well and what to improve, written from what the table did, each rating with its quotes.',
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
      description:
        'The latest one, whoever wrote it; `engine` says whether rules, a language model or somebody else did. 404 before the first.',
      role: 'viewer',
      scope: 'sessions:read',
      params,
      responses: { 200: evaluation },
    }),
  },
});
