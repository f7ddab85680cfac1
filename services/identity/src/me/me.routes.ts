import type { identityApi } from '@muster/contracts';
import { type Handlers, ok } from '@muster/service-kit';
import type { Config } from '../config.ts';
import { whoAmI } from './me.service.ts';

export const meHandlers: Pick<Handlers<typeof identityApi, Config>, 'getMe'> = {
  getMe: async (ctx) => ok(await whoAmI(ctx)),
};
