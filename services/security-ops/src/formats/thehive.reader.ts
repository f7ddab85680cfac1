import type { EventSeverity } from '@muster/contracts';
import type { Draft } from './draft.rules.ts';
import {
  allTexts,
  type Fields,
  firstText,
  isFields,
  listOf,
  numberOf,
  textOf,
  timeOf,
} from './fields.rules.ts';
import { isTelling } from './indicator.rules.ts';
import { techniquesIn } from './technique.rules.ts';

// Alerts of TheHive 4 and 5, https://docs.strangebee.com/thehive/api-docs/.

const SEVERITIES: Readonly<Record<number, EventSeverity>> = {
  1: 'low',
  2: 'medium',
  3: 'high',
  4: 'critical',
};
const ASSET_KINDS: Readonly<Record<string, string>> = { hostname: 'host', host: 'host', mailbox: 'mailbox' };
const USER_TYPES = new Set(['username', 'user', 'account']);
const INDICATOR_TYPES = new Set(['ip', 'domain', 'fqdn', 'url', 'hash', 'mail', 'mail-sender']);

export const isTheHive = (alert: Fields) =>
  typeof alert.sourceRef === 'string' && typeof alert.type === 'string';

export function fromTheHive(alert: Fields): Draft {
  const observables = [...listOf(alert.observables), ...listOf(alert.artifacts)].filter(isFields);
  const data = (wanted: (type: string) => boolean) =>
    observables
      .filter((one) => wanted((textOf(one.dataType) ?? '').toLowerCase()))
      .flatMap((one) => allTexts(one, 'data'));
  const procedures = [...listOf(alert.procedures), ...listOf(alert.ttps)];
  return {
    title: firstText(alert, 'title'),
    description: firstText(alert, 'description'),
    severity: SEVERITIES[numberOf(alert.severity)] ?? 'medium',
    source: firstText(alert, 'source'),
    external_id: firstText(alert, 'sourceRef'),
    category: firstText(alert, 'type'),
    occurred_at: timeOf(alert.date ?? alert.occurDate),
    techniques: [
      ...procedures.flatMap((one) => allTexts(one, 'patternId')),
      ...allTexts(alert, 'tags'),
    ].flatMap(techniquesIn),
    assets: observables.flatMap((one) => {
      const kind = ASSET_KINDS[(textOf(one.dataType) ?? '').toLowerCase()];
      return kind ? allTexts(one, 'data').map((name) => ({ name, kind })) : [];
    }),
    users: data((type) => USER_TYPES.has(type)),
    indicators: data((type) => INDICATOR_TYPES.has(type)).filter(isTelling),
  };
}
