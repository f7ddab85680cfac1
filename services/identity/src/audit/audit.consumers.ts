import { changeRecords } from '@muster/contracts';
import { type Reaction, reaction } from '@muster/service-kit';
import { keepEntry } from './audit.service.ts';

/** Every change that a service tells becomes an entry of the audit log. */
export const auditReactions: readonly Reaction[] = changeRecords.map((declaration) =>
  reaction(declaration, keepEntry),
);
