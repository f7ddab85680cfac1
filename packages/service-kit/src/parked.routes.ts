import type { ParkedMessage, parkedApi, ServiceName } from '@muster/contracts';
import { isEngineDown, type Parked } from '@muster/messaging';
import type { Runtime } from './context.ts';
import { paginate } from './cursor.ts';
import { AppError } from './errors.ts';
import type { Handlers } from './http/handlers.ts';
import { noContent, ok } from './http/reply.ts';

/** As many as the largest page of a list. */
const REPLAYED_AT_ONCE = 200;

/** Reading and replaying what a service gave up, an organization its own: the same in every service. */
export function parkedHandlers({
  service,
  messaging,
}: Pick<Runtime, 'service' | 'messaging'>): Handlers<ReturnType<typeof parkedApi>> {
  const { parked } = messaging;
  const requireOwn = (named: ServiceName) => {
    if (named !== service) throw new AppError('not-found', `This is ${service}, not ${named}.`);
  };
  const find = async (org: string, params: { service: ServiceName; id: string }): Promise<Parked> => {
    requireOwn(params.service);
    const found = await parked.get(org, params.id);
    if (!found) throw new AppError('not-found', 'No message with this id is parked.');
    return found;
  };
  return {
    async listParked({ org, cursors }, { params, query }) {
      requireOwn(params.service);
      const page = await paginate(
        { codec: cursors, scope: `${org} parked ${service}`, given: query.cursor, limit: query.limit },
        {
          read: async (below, limit) =>
            (await parked.list({ org, below, limit })).map((message) => ({ _id: message.id, message })),
          count: () => parked.count(org),
          item: ({ message }) => shown(message),
        },
      );
      return ok({ ...page, outbox: messaging.health().outbox });
    },
    getParked: async ({ org }, { params }) => ok(shown(await find(org, params))),
    async replayParked({ org }, { params }) {
      const { id } = await find(org, params);
      await stayingParked(parked.replay(id));
      return noContent();
    },
    async replayAllParked({ org }, { params }) {
      requireOwn(params.service);
      const oldest = await parked.list({ org, oldestFirst: true, limit: REPLAYED_AT_ONCE });
      const outcomes = await Promise.allSettled(oldest.map(({ id }) => parked.replay(id)));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) await stayingParked(Promise.reject(failed.reason));
      return ok({ replayed: oldest.length, left: await parked.count(org) });
    },
  };
}

const shown = ({ org_id: _, ...message }: Parked): ParkedMessage => message;

/** What cannot be sent now is not lost. */
async function stayingParked(replaying: Promise<unknown>): Promise<void> {
  try {
    await replaying;
  } catch (cause) {
    if (isEngineDown(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('unavailable', `What was not sent stays parked: ${reason}. Try again soon.`, {
      cause,
    });
  }
}
