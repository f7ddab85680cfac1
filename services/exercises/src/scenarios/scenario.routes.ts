import type { scenariosApi } from '@muster/contracts';
import { type Ctx, created, type Handlers, noContent, ok } from '@muster/service-kit';
import { toScenario } from './scenario.model.ts';
import {
  createScenario,
  findScenario,
  listScenarios,
  removeScenario,
  versionOf,
} from './scenario.service.ts';

const getScenario = async (ctx: Ctx, { params }: { params: { filename: string } }) => {
  const found = await findScenario(ctx, params.filename);
  return ok(toScenario(found), { etag: versionOf(found) });
};

export const scenarioHandlers: Handlers<typeof scenariosApi> = {
  listScenarios: async (ctx, { query }) => ok(await listScenarios(ctx, query)),
  getScenario,
  getListedScenario: getScenario,
  createScenario: async (ctx, { body }) => {
    const doc = await createScenario(ctx, body);
    return created(toScenario(doc), `/${doc.filename}`, { etag: versionOf(doc) });
  },
  deleteScenario: async (ctx, { params, requireMatch }) => {
    await removeScenario(ctx, params.filename, requireMatch);
    return noContent();
  },
};
