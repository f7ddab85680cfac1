import type { identityApi } from '@muster/contracts';
import { type Handlers, ok } from '@muster/service-kit';
import { registerAddress } from '../members/address.service.ts';
import { whoAmI } from './me.service.ts';

export const meHandlers: Pick<Handlers<typeof identityApi>, 'getMe' | 'updateIp'> = {
  getMe: async (ctx) => ok(await whoAmI(ctx)),
  updateIp: async (ctx, { body }) => ok(await registerAddress(ctx, body?.ip)),
};
