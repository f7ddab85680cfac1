import type { eventsApi } from '@muster/contracts';
import { created, type Handlers, ok } from '@muster/service-kit';
import { describedEvent, findEvent, listEvents, moveEvent, versionOf } from './event.service.ts';
import { ingest } from './ingest.service.ts';

export const eventHandlers: Handlers<typeof eventsApi> = {
  listEvents: async (ctx, { query }) => ok(await listEvents(ctx, query)),
  ingestEvents: async (ctx, { body, query }) => {
    const done = await ingest(ctx, body, query.format);
    if ('batch' in done) return ok(done.batch);
    const event = await describedEvent(ctx, done.one);
    const etag = versionOf(done.one);
    return done.first ? created(event, `/api/events/${event.id}/`, { etag }) : ok(event, { etag });
  },
  getEvent: async (ctx, { params }) => {
    const doc = await findEvent(ctx, params.id);
    return ok(await describedEvent(ctx, doc), { etag: versionOf(doc) });
  },
  updateEvent: async (ctx, { params, body, requireMatch }) => {
    const doc = await moveEvent(ctx, params.id, body.status, requireMatch);
    return ok(await describedEvent(ctx, doc), { etag: versionOf(doc) });
  },
};
