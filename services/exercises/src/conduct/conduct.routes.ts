import type { conductApi } from '@muster/contracts';
import { type Handlers, ok } from '@muster/service-kit';
import { commandConduct, followConduct, readConduct } from './conduct.service.ts';

export const conductHandlers: Handlers<typeof conductApi> = {
  getConduct: async (ctx, { params }) => ok(await readConduct(ctx, params.id)),
  streamConduct: async (ctx, { params }) => ({
    status: 200,
    body: { mediaType: 'text/event-stream', content: await followConduct(ctx, params.id) },
  }),
  commandConduct: async (ctx, { params, body, requireMatch }) => {
    const conduct = await commandConduct(ctx, params.id, body, requireMatch);
    return ok(conduct, { etag: String(conduct.version) });
  },
};
