import { roleAllows, type settingsApi } from '@muster/contracts';
import { type Ctx, type Handlers, ok, queued } from '@muster/service-kit';
import { domainCheck } from '../domains/domain.jobs.ts';
import { toDomainClaim } from '../domains/domain.model.ts';
import { claimedDomains } from '../domains/domain.service.ts';
import { updateSettings } from './change.service.ts';
import { startTest } from './settings.jobs.ts';
import { type CurrentSettings, toSettings } from './settings.model.ts';
import { readSettings } from './settings.service.ts';
import { toTest } from './test.model.ts';
import { findTest } from './test.service.ts';

/** Admins and others see different settings, which therefore have different tags. */
async function shown(ctx: Ctx, current: CurrentSettings) {
  const whole = roleAllows(ctx.actor.role, 'admin');
  const etag = whole ? String(current.version) : `${current.version}-public`;
  const domains = (await claimedDomains(ctx)).map(toDomainClaim);
  return ok(toSettings(current, domains, whole), { etag });
}

export const settingsHandlers: Handlers<typeof settingsApi> = {
  getSettings: async (ctx) => await shown(ctx, await readSettings(ctx)),
  updateSettings: async (ctx, { body, requireMatch }) =>
    await shown(ctx, await updateSettings(ctx, body, requireMatch)),
  checkDomains: async (ctx) => queued(await ctx.enqueue(domainCheck, {})),
  testSettings: async (ctx, { body }) => queued(await startTest(ctx, body.target)),
  getSettingsTest: async (ctx, { params }) => ok(toTest(await findTest(ctx, params.id))),
};
