import { z } from 'zod';
import { SERVICES, type ServiceName } from '../../core/endpoint.ts';
import { defineEvent } from '../../core/event.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, id, timestamp } from '../../core/primitives.ts';

/** A token was used with a service, which tells it at most once a minute from each process. */
export function tokenUsedBy<Service extends ServiceName>(source: Service) {
  return defineEvent({
    type: `${source}.token.used.v1`,
    source,
    summary: 'A token was used here: told once a minute at most.',
    aggregate: 'token',
    data: z.object({ jti: id, user_id: id, at: timestamp }),
    example: { jti: EXAMPLE_ID, user_id: EXAMPLE_ID, at: EXAMPLE_TIME },
  });
}

/** How each service tells that a token was used with it. */
export const tokenUses = SERVICES.map(tokenUsedBy);
