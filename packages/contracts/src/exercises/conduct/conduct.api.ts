import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { id } from '../../core/primitives.ts';
import { conduct, conductCommand } from './conduct.schemas.ts';

const params = z.object({ id: id.meta({ description: 'id of the session' }) });

export const conductApi = api({
  service: 'exercises',
  tag: 'Conduct',
  about:
    'A live table: its clock, injects as they are released, decisions as they come, regulatory deadlines.',
  endpoints: {
    getConduct: endpoint({
      method: 'GET',
      path: '/api/sessions/{id}/conduct/',
      summary: 'Where a live session stands: injects, decisions, clocks',
      description:
        'What the facilitator sees: the clock, every inject with its state, the decisions recorded so far, and each regulatory clock with its deadline. Of a session that was saved at once, without being played live, there is nothing to conduct: 409.',
      role: 'viewer',
      scope: 'sessions:read',
      params,
      responses: { 200: conduct },
    }),
    streamConduct: endpoint({
      method: 'GET',
      path: '/api/sessions/{id}/conduct/stream',
      summary: 'Follow a live session as server-sent events until it is completed',
      description:
        'An event `conduct` with the whole state at once and after every change. The stream ends with the session, and with the right to read it.',
      role: 'viewer',
      scope: 'sessions:read',
      params,
      produces: 'text/event-stream',
      responses: {
        200: z.string().meta({
          example: `id: 4\nevent: conduct\ndata: ${JSON.stringify(conduct.meta()?.example)}\n\n`,
        }),
      },
    }),
    commandConduct: endpoint({
      method: 'POST',
      path: '/api/sessions/{id}/conduct/',
      summary: 'Start, pause or resume a live session; release or skip an inject',
      description: 'Injects come by the clock or by hand. 409 where the session does not stand so.',
      role: 'member',
      scope: 'sessions:write',
      params,
      body: conductCommand,
      responses: { 200: conduct },
    }),
  },
});
