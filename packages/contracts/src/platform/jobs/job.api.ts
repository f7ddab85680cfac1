import { z } from 'zod';
import { type Api, endpoint, type ServiceName } from '../../core/endpoint.ts';
import { job } from '../../core/job.ts';
import { id } from '../../core/primitives.ts';

const params = z.object({ id: id.meta({ description: 'id of the job' }) });

/** Every service answers for its own jobs; the gateway finds the owner by the id. */
export const jobsEndpoints = {
  getJob: endpoint({
    method: 'GET',
    path: '/api/jobs/{id}',
    summary: 'Read a job',
    description:
      'Status, progress and attempts; a finished one names its result, a failed one its problem. Kept for 30 days.',
    role: 'viewer',
    scope: 'jobs:read',
    params,
    responses: { 200: job },
  }),
  streamJob: endpoint({
    method: 'GET',
    path: '/api/jobs/{id}/stream',
    summary: 'Follow a job as server-sent events until it ends',
    description:
      'An event `job` at once and after every change, the last one with the final status. The stream ends then, and with the right to read it.',
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
    description:
      'A job that waits or runs is told to stop, and nothing that it still does counts. 409 where it has ended already.',
    role: 'member',
    scope: 'jobs:write',
    params,
    responses: { 200: job },
  }),
};

/** The jobs API as one service declares it. */
export function jobsApi(service: ServiceName) {
  return {
    service,
    tag: 'Jobs',
    about: 'Work that runs on a queue: its progress, its result, its end.',
    endpoints: jobsEndpoints,
  } as const satisfies Api;
}
