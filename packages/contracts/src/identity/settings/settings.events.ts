import { defineEvent } from '../../core/event.ts';
import { settingsFacts, settingsFactsExample } from './settings.schemas.ts';

export const settingsUpdated = defineEvent({
  type: 'identity.settings.updated.v1',
  source: 'identity',
  summary: 'The settings of an organization, as they are now. Secrets are sealed.',
  aggregate: 'settings',
  data: settingsFacts,
  example: settingsFactsExample,
});
