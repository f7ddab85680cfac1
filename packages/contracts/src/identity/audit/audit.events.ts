import { changeRecordedBy } from '../../platform/changes/change.events.ts';

export const identityChangeRecorded = changeRecordedBy('identity');
