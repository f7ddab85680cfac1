import { aiVariables, baseConfig, defineConfig } from '@muster/service-kit';

/** The variables of this service beside those that every service reads. */
export const config = defineConfig(baseConfig.extend(aiVariables));
