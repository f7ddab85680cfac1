import { changeRecords } from '@muster/contracts';
import { reaction } from '@muster/service-kit';
import { keepEntry } from './audit.service.ts';

/** Every change that a service tells becomes an entry of the audit log. */
export const auditReactions = { changeRecords: reaction(changeRecords, keepEntry) };
