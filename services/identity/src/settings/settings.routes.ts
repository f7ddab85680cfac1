import { roleAllows, type settingsApi } from '@muster/contracts';
import { type Ctx, type Handlers, ok, queued } from '@muster/service-kit';
import { type CurrentSettings, toSettings } from './settings.model.ts';
import { readSettings, updateSettings } from './settings.service.ts';
import { toTest } from './test.model.ts';
import { findTest, startTest } from './test.service.ts';

/** Admins and others see different settings, which therefore have different tags. */
function shown(ctx: Ctx, current: CurrentSettings) {
  const whole = roleAllows(ctx.actor.role, 'admin');
  const etag = whole ? String(current.version) : `${current.version}-public`;
  return ok(toSettings(current, whole), { etag });
}

export const settingsHandlers: Handlers<typeof settingsApi> = {
  getSettings: async (ctx) => shown(ctx, await readSettings(ctx)),
  updateSettings: async (ctx, { body, requireMatch }) =>
    shown(ctx, await updateSettings(ctx, body, requireMatch)),
  testSettings: async (ctx, { body }) => queued(await startTest(ctx, body.target)),
  getSettingsTest: async (ctx, { params }) => ok(toTest(await findTest(ctx, params.id))),
};
