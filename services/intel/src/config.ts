import { aiVariables, baseConfig, type Ctx, egressPolicy } from '@muster/service-kit';
import type { z } from 'zod';

/** The variables of this service beside those that every service reads. */
export const config = baseConfig.extend({
  ...aiVariables,
  MUSTER_INTEL_ALLOW: egressPolicy,
});
export type Config = z.output<typeof config>;
export type IntelCtx = Ctx<Config>;
