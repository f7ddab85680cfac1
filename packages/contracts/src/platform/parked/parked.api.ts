import { z } from 'zod';
import { type Api, endpoint, SERVICES, type ServiceName } from '../../core/endpoint.ts';
import { page } from '../../core/lists.ts';
import { parkedList, parkedMessage, replayed } from './parked.schemas.ts';

const inService = z.object({
  service: z
    .enum(SERVICES)
    .meta({ description: 'the service that gave the messages up', example: 'exercises' }),
});
const one = inService.extend({
  id: z.string().min(1).max(255).meta({ description: 'id of the message' }),
});

/** Every service answers for the messages that it gave up; the gateway finds it by its name in the path. */
export const parkedEndpoints = {
  listParked: endpoint({
    method: 'GET',
    path: '/api/parked/{service}/',
    summary: 'List the messages that a service gave up',
    description:
      "Your organization's, the newest event first, each with the reason. An event that keeps failing is tried for a quarter of an hour, then parked here; nothing is lost by that, and it can be replayed. `outbox` says what of the service waits to be published.",
    role: 'owner',
    scope: 'parked:read',
    params: inService,
    query: z.object(page),
    responses: { 200: parkedList },
  }),
  replayAllParked: endpoint({
    method: 'POST',
    path: '/api/parked/{service}/replay/',
    summary: 'Hand parked messages to their service again',
    description:
      "The oldest 200 of your organization's. What was applied before changes nothing a second time; what fails again is parked again. 503 while the broker is away: they stay parked then.",
    role: 'owner',
    scope: 'parked:write',
    params: inService,
    responses: { 200: replayed },
  }),
  getParked: endpoint({
    method: 'GET',
    path: '/api/parked/{service}/{id}/',
    summary: 'Read one parked message',
    description: 'Its type, what it is about, and why it was given up. 404 once it was replayed.',
    role: 'owner',
    scope: 'parked:read',
    params: one,
    responses: { 200: parkedMessage },
  }),
  replayParked: endpoint({
    method: 'POST',
    path: '/api/parked/{service}/{id}/replay/',
    summary: 'Hand one parked message to its service again',
    description:
      'It is tried from the beginning; where it fails again it is parked again. 503 while the broker is away: it stays parked then.',
    role: 'owner',
    scope: 'parked:write',
    params: one,
    responses: { 204: null },
  }),
};

/** The API for parked messages as one service declares it. */
export function parkedApi(service: ServiceName) {
  return {
    service,
    tag: 'Parked messages',
    about: 'Events that a service could not take in, kept with the reason until somebody replays them.',
    endpoints: parkedEndpoints,
  } as const satisfies Api;
}
