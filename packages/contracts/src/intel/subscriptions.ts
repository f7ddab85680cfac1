import { subscriptions } from '../core/subscriptions.ts';
import { replayRequested } from '../exercises/dashboard/dashboard.events.ts';
import { scenarioPublished } from '../exercises/scenarios/scenario.events.ts';
import { settingsUpdated } from '../identity/settings/settings.events.ts';
import { profileUpdated } from '../twin/profile/profile.events.ts';

export const intelSubscriptions = subscriptions('intel', {
  replayRequested,
  scenarioPublished,
  profileUpdated,
  settingsUpdated,
});
