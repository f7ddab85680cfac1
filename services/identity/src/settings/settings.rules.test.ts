import { describe, expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS, settingsInput } from '@muster/contracts';
import {
  brokenKey,
  brokenSettings,
  differences,
  effective,
  leadsKeyAway,
  type Overrides,
  overlaid,
  type SettingsValues,
} from './settings.rules.ts';

const input = (given: unknown) => settingsInput.parse(given);
const having = (set: Overrides = {}) => effective('Example', set);
const pathsOf = (values: SettingsValues, hasKey = false) =>
  brokenSettings(values, hasKey).map(({ path }) => path);
const noKey = { had: false, given: undefined };

describe('what holds', () => {
  test('is the defaults, but for the name, while nothing is set', () => {
    expect(having()).toEqual({
      ...DEFAULT_SETTINGS,
      organization: { ...DEFAULT_SETTINGS.organization, name: 'Example' },
    });
  });

  test('is what was set last, field by field; the rest stays', () => {
    const first = overlaid({}, input({ ai: { model: 'one' }, security: { session_hours: 8 } }));
    const second = overlaid(first, input({ ai: { timeout_ms: 5_000 }, security: { session_hours: 9 } }));
    expect(second).toMatchObject({
      ai: { model: 'one', timeout_ms: 5_000 },
      security: { session_hours: 9 },
    });
    expect(having(second).retention).toEqual(DEFAULT_SETTINGS.retention);
  });

  test('holds no key, no name and nothing that only the server sets', () => {
    const set = overlaid(
      {},
      input({ organization: { name: 'New' }, ai: { api_key: 'k', api_key_set: true }, version: 9 }),
    );
    expect(JSON.stringify(set)).not.toMatch(/api_key|name|version/);
  });

  test('names a domain once', () => {
    const domains = ['Example.org', 'example.org', 'example.com'];
    const set = overlaid({}, input({ security: { allowed_email_domains: domains } }));
    expect(set.security?.allowed_email_domains).toEqual(['example.org', 'example.com']);
  });
});

describe('what does not go together', () => {
  const compatible = {
    provider: 'openai_compatible',
    base_url: 'https://ai.example.org/v1',
    model: 'm',
  } as const;
  test.each([
    ['nothing', {}, []],
    [
      'a compatible provider without address and model',
      { ai: { provider: 'openai_compatible' } },
      ['/ai/base_url', '/ai/model'],
    ],
    ['a compatible provider without a key', { ai: compatible }, []],
    ['anthropic without model and key', { ai: { provider: 'anthropic' } }, ['/ai/model', '/ai/api_key']],
    [
      'a password in an address',
      { ai: { ...compatible, base_url: 'https://u:p@ai.example.org' } },
      ['/ai/base_url'],
    ],
    [
      'a user in a webhook',
      { notifications: { webhook_url: 'https://u@example.org/' } },
      ['/notifications/webhook_url'],
    ],
    [
      'a password in a logo',
      { organization: { logo_url: 'https://:p@example.org/' } },
      ['/organization/logo_url'],
    ],
    ['a query in a base', { ai: { base_url: 'https://ai.example.org/?x=1' } }, ['/ai/base_url']],
  ] as [string, Overrides, string[]][])('%s', (_what, set, paths) => {
    expect(pathsOf(having(set))).toEqual(paths);
  });

  test('anthropic with model and key is fine', () => {
    expect(pathsOf(having({ ai: { provider: 'anthropic', model: 'm' } }), true)).toEqual([]);
  });
});

describe('the key', () => {
  const at = (base_url: string | null) => having({ ai: { base_url } });

  test.each([
    ['https://ai.example.org/v1', 'https://ai.example.org/v2', false],
    ['https://ai.example.org', 'https://AI.example.org:443/', false],
    ['https://ai.example.org', 'http://ai.example.org', true],
    ['https://ai.example.org', 'https://ai.example.org:8443', true],
    ['https://ai.example.org', 'https://evil.example', true],
    ['https://ai.example.org', null, true],
    [null, null, false],
  ])('from %s to %s goes elsewhere: %s', (before, after, away) => {
    expect(leadsKeyAway(at(before), at(after))).toBe(away);
  });

  test.each(['two words', 'line\r\nX-Header: 1', 'schlüssel', ''])('is not %j', (given) => {
    expect(brokenKey(given, false)).toMatchObject([{ path: '/ai/api_key', code: 'not_a_key' }]);
  });

  test.each([undefined, null, 'sk-proj_1.2/3='])('may be %j', (given) => {
    expect(brokenKey(given, false)).toEqual([]);
  });
});

describe('what the audit log is told', () => {
  test('only the fields that differ', () => {
    const after = having({ security: { session_hours: 8 }, scoring: { bands: { P: 90, S: 65, M: 50 } } });
    expect(differences(having(), after, noKey)).toEqual({
      before: { security: { session_hours: 12 }, scoring: { bands: DEFAULT_SETTINGS.scoring.bands } },
      after: { security: { session_hours: 8 }, scoring: { bands: { P: 90, S: 65, M: 50 } } },
    });
  });

  test('nothing, when nothing differs', () => {
    expect(differences(having(), having({ security: { session_hours: 12 } }), noKey)).toBeNull();
    expect(differences(having(), having(), { had: false, given: null })).toBeNull();
  });

  test.each([
    [false, 'secret', { was: null, is: 'set' }],
    [true, 'secret', { was: 'set', is: 'changed' }],
    [true, null, { was: 'set', is: 'removed' }],
  ] as const)('of a key (there before: %s) given as %j, what happened to it', (had, given, { was, is }) => {
    expect(differences(having(), having(), { had, given })).toEqual({
      before: { ai: { api_key: was } },
      after: { ai: { api_key: is } },
    });
  });

  test('of a webhook, which may hold a token, no more', () => {
    const before = having({ notifications: { webhook_url: 'https://example.org/hook/one' } });
    const after = having({ notifications: { webhook_url: 'https://example.org/hook/two' } });
    const told = differences(before, after, noKey);
    expect(told?.after).toEqual({ notifications: { webhook_url: 'changed' } });
    expect(JSON.stringify(told)).not.toMatch(/one|two/);
  });
});
