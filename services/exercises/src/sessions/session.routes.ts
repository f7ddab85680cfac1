import type { sessionsApi } from '@muster/contracts';
import { created, type Handlers, ok } from '@muster/service-kit';
import { type SessionDoc, toSession } from './session.model.ts';
import {
  addResponses,
  createSession,
  findSession,
  listSessions,
  scoresOf,
  updateSession,
} from './session.service.ts';

const addressOf = (doc: SessionDoc) => `/api/sessions/${doc._id}/`;
const versionOf = (doc: SessionDoc) => ({ etag: String(doc.version) });

export const sessionHandlers: Handlers<typeof sessionsApi> = {
  listSessions: async (ctx, { query }) => ok(await listSessions(ctx, query)),
  createSession: async (ctx, { body }) => {
    const doc = await createSession(ctx, body);
    return created(toSession(doc), addressOf(doc), versionOf(doc));
  },
  getSession: async (ctx, { params }) => {
    const doc = await findSession(ctx, params.id);
    return ok(toSession(doc), versionOf(doc));
  },
  updateSession: async (ctx, { params, body, requireMatch }) => {
    const doc = await updateSession(ctx, params.id, body, requireMatch);
    return ok(toSession(doc), versionOf(doc));
  },
  addResponses: async (ctx, { params, body, requireMatch }) => {
    const responses = 'responses' in body ? body.responses : [body];
    const doc = await addResponses(ctx, params.id, responses, requireMatch);
    return created(toSession(doc), addressOf(doc), versionOf(doc));
  },
  getScores: async (ctx, { params }) => ok(await scoresOf(ctx, params.id)),
};
