import { subscriptions } from '../core/subscriptions.ts';
import { replayRequested } from '../exercises/dashboard/dashboard.events.ts';
import { changeRecords } from '../platform/changes/change.events.ts';
import { tokenUses } from '../platform/token-uses/token-use.events.ts';

export const identitySubscriptions = subscriptions('identity', {
  replayRequested,
  tokenUses,
  changeRecords,
});
