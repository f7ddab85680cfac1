import { z } from 'zod';
import { EXAMPLE_ID, EXAMPLE_TIME, id, timestamp } from '../../core/primitives.ts';
import { change, changeExample } from '../../platform/changes/change.schemas.ts';

export const auditEntry = z.object({ id, at: timestamp, service: z.string(), ...change.shape }).meta({
  id: 'AuditEntry',
  example: { id: EXAMPLE_ID, at: EXAMPLE_TIME, service: 'identity', ...changeExample },
});
export type AuditEntry = z.output<typeof auditEntry>;
