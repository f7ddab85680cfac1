import { aiVariables, baseConfig, type Ctx } from '@muster/service-kit';
import type { z } from 'zod';

/** The variables of this service beside those that every service reads. */
export const config = baseConfig.extend(aiVariables);
export type Config = z.output<typeof config>;
export type SecurityOpsCtx = Ctx<Config>;
