import { z } from 'zod';
import { EXAMPLE_TIME, timestamp } from '../../core/primitives.ts';

export const PROVIDERS = ['provider-a', 'provider-b'] as const;
export type ProviderId = (typeof PROVIDERS)[number];

export const sessionToken = z.object({ token: z.string(), expires_at: timestamp }).meta({
  id: 'SessionToken',
  example: { token: '<header>.<claims>.<signature>', expires_at: EXAMPLE_TIME },
});
