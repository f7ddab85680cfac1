import type { identityApi } from '@muster/contracts';
import { AppError, type Handlers, isServiceAsking, ok } from '@muster/service-kit';
import { standingOf } from './standing.service.ts';

export const standingHandlers: Pick<Handlers<typeof identityApi>, 'readStanding'> = {
  readStanding: async (ctx, { body }) => {
    if (!isServiceAsking(ctx.config.SERVICE_SECRET, body))
      throw new AppError('forbidden', 'This is for the other services, which share SERVICE_SECRET.');
    return ok(await standingOf(ctx.forOrganization(body.org), body));
  },
};
