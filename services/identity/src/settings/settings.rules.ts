import {
  DEFAULT_SETTINGS,
  type ProblemDetail,
  type SettingsFacts,
  type settingsInput,
} from '@muster/contracts';
import type { z } from 'zod';

export type SettingsInput = z.output<typeof settingsInput>;

const SECTIONS = ['organization', 'ai', 'security', 'notifications', 'retention', 'scoring'] as const;
type Section = (typeof SECTIONS)[number];

/** The settings that are no secrets. */
export type SettingsValues = Omit<SettingsFacts, 'ai'> & { ai: Omit<SettingsFacts['ai'], 'api_key'> };

/** What an organization set of its settings. Its name stands with the organization. */
export type Overrides = { [S in Section]?: Partial<SettingsValues[S]> };

/** What an organization has: its name, and what it set over the defaults. */
export function effective(name: string, set: Overrides): SettingsValues {
  const { organization, ai, security, notifications, retention, scoring } = DEFAULT_SETTINGS;
  return {
    organization: { ...organization, ...set.organization, name },
    ai: { ...ai, ...set.ai },
    security: { ...security, allowed_email_domains: [], ...set.security },
    notifications: { ...notifications, ...set.notifications },
    retention: { ...retention, ...set.retention },
    scoring: { bands: { ...scoring.bands }, ...set.scoring },
  };
}

/** What is set after a change: fields it leaves out stay as they were. */
export function overlaid(set: Overrides, input: SettingsInput): Overrides {
  const { name: _name, ...organization } = input.organization ?? {};
  const { api_key: _key, api_key_set: _set, ...ai } = input.ai ?? {};
  const { notifications, retention, scoring } = input;
  const { domains: _claims, allowed_email_domains: domains, ...security } = input.security ?? {};
  const given: Overrides = {
    organization,
    ai,
    security: { ...security, ...(domains && { allowed_email_domains: [...new Set(domains)] }) },
    notifications,
    retention,
    scoring,
  };
  return Object.fromEntries(SECTIONS.map((section) => [section, { ...set[section], ...given[section] }]));
}

/** What does not go together in settings that are each well formed. `hasKey`: a key of the AI provider is stored. */
export function brokenSettings(values: SettingsValues, hasKey: boolean): ProblemDetail[] {
  const { ai, organization, notifications } = values;
  const problems: ProblemDetail[] = [];
  const broken = (path: string, code: string, message: string) =>
    problems.push({ path, code, message, in: 'body' });
  if (ai.provider === 'openai_compatible' && ai.base_url === null)
    broken('/ai/base_url', 'required', 'An OpenAI-compatible provider needs its address.');
  if (ai.provider !== 'rules' && ai.model === null)
    broken('/ai/model', 'required', 'This provider needs the name of a model.');
  if (ai.provider === 'anthropic' && !hasKey)
    broken('/ai/api_key', 'required', 'This provider needs an API key.');
  const urls = {
    '/organization/logo_url': organization.logo_url,
    '/ai/base_url': ai.base_url,
    '/notifications/webhook_url': notifications.webhook_url,
  };
  for (const [path, url] of Object.entries(urls)) {
    if (url !== null && hasCredentials(url))
      broken(path, 'credentials', 'An address must not hold a user name or a password.');
  }
  if (ai.base_url !== null && /[?#]/.test(ai.base_url))
    broken('/ai/base_url', 'not_a_base', 'The address of a provider has no query: paths are added to it.');
  return problems;
}

/**
 * What is wrong with the key of a change.
 * @param given undefined where the stored one stays
 * @param away whether the stored one would go to another host than before
 */
export function brokenKey(given: string | null | undefined, away: boolean): ProblemDetail[] {
  const broken = (code: string, message: string) => [{ path: '/ai/api_key', code, message, in: 'body' }];
  if (away)
    return broken(
      'key_for_another_address',
      'The stored key was given for another address: send it again, or null to remove it.',
    );
  if (typeof given === 'string' && !/^[\x21-\x7e]+$/.test(given))
    return broken('not_a_key', 'A key is one word of letters, digits and signs.');
  return [];
}

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}

/**
 * Whether a stored key would go to another host than it was given for: whoever may change the address must not get
 * the key, which nobody reads, by having it sent to themselves.
 */
export function leadsKeyAway(before: SettingsValues, after: SettingsValues): boolean {
  const destination = ({ ai }: SettingsValues) => (ai.base_url === null ? null : new URL(ai.base_url).origin);
  return destination(before) !== destination(after);
}

type Fields = Record<string, Record<string, unknown>>;
/** What may hold a token of somebody's: that it changed is told, not what it is. */
const MASKED = new Set(['notifications.webhook_url']);

/** The fields that a change makes different, as they were and as they are. Of secrets, only what happened to them. */
export function differences(
  before: SettingsValues,
  after: SettingsValues,
  key: { had: boolean; given: string | null | undefined },
): { before: Fields; after: Fields } | null {
  const was: Fields = {};
  const is: Fields = {};
  const note = (section: string, field: string, old: unknown, now: unknown) => {
    was[section] = { ...was[section], [field]: old };
    is[section] = { ...is[section], [field]: now };
  };
  for (const section of SECTIONS) {
    const [old, now] = [before[section], after[section]] as [
      Record<string, unknown>,
      Record<string, unknown>,
    ];
    for (const field of Object.keys(now)) {
      if (JSON.stringify(old[field]) === JSON.stringify(now[field])) continue;
      if (!MASKED.has(`${section}.${field}`)) note(section, field, old[field], now[field]);
      else note(section, field, old[field] && 'set', fate(old[field] !== null, now[field] !== null));
    }
  }
  const { had, given } = key;
  if (given !== undefined && (had || given !== null))
    note('ai', 'api_key', had ? 'set' : null, fate(had, given !== null));
  return Object.keys(is).length > 0 ? { before: was, after: is } : null;
}

function fate(had: boolean, has: boolean): string {
  if (!has) return 'removed';
  return had ? 'changed' : 'set';
}
