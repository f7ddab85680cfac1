import { baseConfig } from '@muster/service-kit';
import type { z } from 'zod';

/** The variables of this service: so far those that every service reads. */
export const config = baseConfig;
export type Config = z.output<typeof config>;
