import { z } from 'zod';
import { type Api, endpoint, type ServiceName } from '../../core/endpoint.ts';
import { job } from '../../core/job.ts';
import { id } from '../../core/primitives.ts';

const params = z.object({ id });

/** Every service answers for its own jobs; the gateway finds the owner by the id. */
export const jobsEndpoints = {
  getJob: endpoint({
    method: 'GET',
    path: '/api/jobs/{id}',
    summary: 'Read a job',
    role: 'viewer',
    scope: 'jobs:read',
    params,
    responses: { 200: job },
  }),
  streamJob: endpoint({
    method: 'GET',
    path: '/api/jobs/{id}/stream',
    summary: 'Follow a job as server-sent events until it ends',
    role: 'viewer',
    scope: 'jobs:read',
    params,
    produces: 'text/event-stream',
    responses: {
      200: z.string().meta({ example: `event: job\ndata: ${JSON.stringify(job.meta()?.example)}\n\n` }),
    },
  }),
  cancelJob: endpoint({
    method: 'DELETE',
    path: '/api/jobs/{id}',
    summary: 'Cancel a job',
    role: 'member',
    scope: 'jobs:write',
    params,
    responses: { 200: job },
  }),
};

/** The jobs API as one service declares it. */
export function jobsApi(service: ServiceName) {
  return { service, tag: 'Jobs', endpoints: jobsEndpoints } as const satisfies Api;
}
