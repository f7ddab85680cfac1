import { changeRecords } from '@muster/contracts';
import { batchReaction } from '@muster/service-kit';
import { keepEntries } from './audit.service.ts';

/** Every command and change that a service tells becomes an entry of the audit log. */
export const auditReactions = {
  changeRecords: batchReaction(changeRecords, keepEntries, { order: 'organization' }),
};
