import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { id } from '../../core/primitives.ts';
import { conduct, conductCommand } from './conduct.schemas.ts';

const params = z.object({ id });

export const conductApi = api({
  service: 'exercises',
  tag: 'Conduct',
  endpoints: {
    getConduct: endpoint({
      method: 'GET',
      path: '/api/sessions/{id}/conduct/',
      summary: 'Where a live session stands: injects, decisions, clocks',
      role: 'viewer',
      scope: 'sessions:read',
      params,
      responses: { 200: conduct },
    }),
    streamConduct: endpoint({
      method: 'GET',
      path: '/api/sessions/{id}/conduct/stream',
      summary: 'Follow a live session as server-sent events until it is completed',
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
