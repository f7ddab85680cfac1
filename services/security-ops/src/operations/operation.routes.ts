import type { operationsApi } from '@muster/contracts';
import { created, type Handlers, noContent, ok } from '@muster/service-kit';
import { importLog, importLogs } from './import.service.ts';
import { operationLayer } from './layer.rules.ts';
import { type OperationDoc, toOperation } from './operation.model.ts';
import {
  createOperation,
  deleteOperation,
  findOperation,
  listOperations,
  updateOperation,
} from './operation.service.ts';

const addressOf = (doc: OperationDoc) => `/api/operations/${doc._id}/`;
const versionOf = (doc: OperationDoc) => ({ etag: String(doc.version) });
const shown = (doc: OperationDoc) => ok(toOperation(doc), versionOf(doc));
const isNewNow = (doc: OperationDoc) => created(toOperation(doc), addressOf(doc), versionOf(doc));

export const operationHandlers: Handlers<typeof operationsApi> = {
  listOperations: async (ctx, { query }) => ok(await listOperations(ctx, query)),
  createOperation: async (ctx, { body }) => isNewNow(await createOperation(ctx, body)),
  importOperations: async (ctx, { body }) => {
    if (Array.isArray(body)) return ok(await importLogs(ctx, body));
    const { doc, isNew } = await importLog(ctx, body);
    return isNew ? isNewNow(doc) : shown(doc);
  },
  getOperation: async (ctx, { params }) => shown(await findOperation(ctx, params.id)),
  updateOperation: async (ctx, { params, body, requireMatch }) =>
    shown(await updateOperation(ctx, params.id, body, requireMatch)),
  deleteOperation: async (ctx, { params, requireMatch }) => {
    await deleteOperation(ctx, params.id, requireMatch);
    return noContent();
  },
  getOperationLayer: async (ctx, { params, query }) =>
    ok(operationLayer(await findOperation(ctx, params.id), query.domain)),
};
