import { createAi } from '@muster/ai';
import { asking } from '@muster/service-kit';

/** Does one job by the engine that the organization has set: see `asking`. */
export const askAi = asking(createAi);
