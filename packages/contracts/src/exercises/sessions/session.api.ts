import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { id, scenarioFilename, timestamp } from '../../core/primitives.ts';
import { scores } from '../scores/scores.schemas.ts';
import {
  responsesInput,
  SESSION_STATUSES,
  session,
  sessionInput,
  sessionPatch,
  sessionSummary,
} from './session.schemas.ts';

const params = z.object({ id });

export const sessionsApi = api({
  service: 'exercises',
  tag: 'Sessions',
  endpoints: {
    listSessions: endpoint({
      method: 'GET',
      path: '/api/sessions/',
      summary: 'List exercise sessions',
      role: 'viewer',
      scope: 'sessions:read',
      query: z.strictObject({
        ...page,
        status: z.enum(SESSION_STATUSES).optional(),
        scenario: filter(scenarioFilename),
        from: filter(timestamp).meta({ description: 'started at or after' }),
        to: filter(timestamp).meta({ description: 'started before' }),
      }),
      responses: { 200: listOf(sessionSummary) },
    }),
    createSession: endpoint({
      method: 'POST',
      path: '/api/sessions/',
      summary: 'Save a new exercise session',
      description: 'The scenario is copied into the session; a completed session is scored at once.',
      role: 'member',
      scope: 'sessions:write',
      body: sessionInput,
      responses: { 201: session },
    }),
    getSession: endpoint({
      method: 'GET',
      path: '/api/sessions/{id}/',
      summary: 'Return one session, whole',
      role: 'viewer',
      scope: 'sessions:read',
      params,
      responses: { 200: session },
    }),
    updateSession: endpoint({
      method: 'PATCH',
      path: '/api/sessions/{id}/',
      summary: 'Change a session in progress, or complete it',
      role: 'member',
      scope: 'sessions:write',
      params,
      body: sessionPatch,
      responses: { 200: session },
    }),
    addResponses: endpoint({
      method: 'POST',
      path: '/api/sessions/{id}/responses/',
      summary: 'Record what the table decided on an inject',
      role: 'member',
      scope: 'sessions:write',
      params,
      body: responsesInput,
      responses: { 201: session },
    }),
    getScores: endpoint({
      method: 'GET',
      path: '/api/sessions/{id}/scores/',
      summary: 'Return the session scoring results',
      description: 'Method muster-1. 409 while the session is in progress.',
      role: 'viewer',
      scope: 'sessions:read',
      params,
      responses: { 200: scores },
    }),
  },
});
