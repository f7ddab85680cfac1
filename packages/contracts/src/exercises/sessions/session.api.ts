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

const params = z.object({ id: id.meta({ description: 'id of the session' }) });

export const sessionsApi = api({
  service: 'exercises',
  tag: 'Sessions',
  about: 'Exercises that were played or are being played, and their scores.',
  endpoints: {
    listSessions: endpoint({
      method: 'GET',
      path: '/api/sessions/',
      summary: 'List exercise sessions',
      description: 'Newest first, each with its overall score; the whole session is at its own address.',
      role: 'viewer',
      scope: 'sessions:read',
      query: z.strictObject({
        ...page,
        status: z.enum(SESSION_STATUSES).optional(),
        scenario: filter(scenarioFilename, 'played from this scenario'),
        from: filter(timestamp, 'started at or after'),
        to: filter(timestamp, 'started before'),
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
      description:
        'With its participants, responses, observations and the copy of the scenario that was played.',
      role: 'viewer',
      scope: 'sessions:read',
      params,
      responses: { 200: session },
    }),
    updateSession: endpoint({
      method: 'PATCH',
      path: '/api/sessions/{id}/',
      summary: 'Change a session in progress, or complete it',
      description:
        'Title, participants, responses and observations while the table plays. With `status: completed` it is scored and cannot be changed any more: 409 then.',
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
      description:
        'One or several, as the table decides them. Each says which inject it answers, when, and which expected actions were taken or in which words; 409 once the session is completed.',
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
