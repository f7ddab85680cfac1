import { aiVariables, baseConfig, defineConfig, egressPolicy } from '@muster/service-kit';

/** The variables of this service beside those that every service reads. */
export const config = defineConfig(baseConfig.extend({ ...aiVariables, MUSTER_INTEL_ALLOW: egressPolicy }));
