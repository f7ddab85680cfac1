import { MANUAL_FORMS, type manualsApi } from '@muster/contracts';
import { created, formOf, type Handlers, invalid, ok } from '@muster/service-kit';
import { documentReply } from '../reports/rendering.service.ts';
import { readPackage, toPackage } from '../scenarios/package.rules.ts';
import { toScenario } from '../scenarios/scenario.model.ts';
import { createScenario, findScenario, versionOf } from '../scenarios/scenario.service.ts';
import { readManual } from './manual.service.ts';

export const manualHandlers: Handlers<typeof manualsApi> = {
  getManual: async (ctx, { params, query: { format }, caller }) => {
    const form = formOf(MANUAL_FORMS, { format, accept: caller.accept });
    const name = `situation-manual-${params.filename.replace('.json', '')}`;
    const { document, date } = await readManual(ctx, params.filename);
    return await documentReply(document, form, { name, date });
  },
  getPackage: async (ctx, { params }) => {
    const found = await findScenario(ctx, params.filename);
    return ok(toPackage(toScenario(found)), { etag: versionOf(found) });
  },
  importPackage: async (ctx, { query, body }) => {
    const read = readPackage(body);
    if ('problems' in read) throw invalid(read.problems);
    const upload = { ...read.upload, ...(query.filename && { filename: query.filename }) };
    const doc = await createScenario(ctx, upload);
    return created(toScenario(doc), `/${doc.filename}`, { etag: versionOf(doc) });
  },
};
