import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { job } from '../../core/job.ts';
import { id } from '../../core/primitives.ts';
import { settings, settingsInput, settingsTest, settingsTestInput } from './settings.schemas.ts';

export const settingsApi = api({
  service: 'identity',
  tag: 'Settings',
  about: 'What an organization decides for itself: AI, security, notifications, retention, scoring.',
  endpoints: {
    getSettings: endpoint({
      method: 'GET',
      path: '/api/settings/',
      summary: 'Get organization settings',
      description: 'Secrets are never shown; `webhook_url` is shown to admins only.',
      role: 'viewer',
      scope: 'settings:read',
      responses: { 200: settings },
    }),
    updateSettings: endpoint({
      method: 'PUT',
      path: '/api/settings/',
      summary: 'Update organization settings',
      description:
        'What is left out stays as it is. `ai.api_key` can be written, never read; null removes it. A mail domain admits people once it is proven by the DNS record that `security.domains` shows.',
      role: 'admin',
      scope: 'settings:write',
      body: settingsInput,
      responses: { 200: settings },
    }),
    checkDomains: endpoint({
      method: 'POST',
      path: '/api/settings/domains/check/',
      summary: 'Look for the DNS records of the claimed mail domains now',
      description:
        'It happens every hour by itself. `security.domains` of the settings shows the record that proves each domain.',
      role: 'admin',
      scope: 'settings:write',
      responses: { 200: settings, 202: job },
      delivery: 'queue',
    }),
    testSettings: endpoint({
      method: 'POST',
      path: '/api/settings/test/',
      summary: 'Try the AI or mail settings as they are stored',
      description:
        'Asks the model for a word, or sends the caller a mail, with what is stored now. The answer says what worked and, if not, what to change.',
      role: 'admin',
      scope: 'settings:write',
      body: settingsTestInput,
      responses: { 200: settingsTest, 202: job },
      delivery: 'queue',
    }),
    getSettingsTest: endpoint({
      method: 'GET',
      path: '/api/settings/test/{id}/',
      summary: 'Return how a try of the settings went; kept for a day',
      description:
        'What was tried, whether it worked, how long it took, and a plain reason where it did not.',
      role: 'admin',
      scope: 'settings:read',
      params: z.object({ id: id.meta({ description: 'id of the test' }) }),
      responses: { 200: settingsTest },
    }),
  },
});
