import type { EventSeverity, EventStatus } from '@muster/contracts';
import type { Draft } from './draft.rules.ts';
import {
  allTexts,
  at,
  type Fields,
  firstText,
  isFields,
  listOf,
  numberOf,
  severityOfWord,
  textOf,
  timeOf,
} from './fields.rules.ts';
import { isTelling } from './indicator.rules.ts';
import { techniquesIn } from './technique.rules.ts';

// OCSF 1.x, https://schema.ocsf.io: Detection Finding 2004, Incident Finding 2005, and any other class by its base.

/** `severity_id`; 0 is unknown and 99 is named by `severity`. */
const SEVERITIES: Readonly<Record<number, EventSeverity>> = {
  1: 'informational',
  2: 'low',
  3: 'medium',
  4: 'high',
  5: 'critical',
  6: 'critical',
};
const INCIDENT = 2005;
/** `status_id` of a finding: 3 is suppressed; of an incident: on hold. */
const FINDING_STATUS: Readonly<Record<number, EventStatus>> = {
  1: 'new',
  2: 'in_progress',
  3: 'closed',
  4: 'resolved',
};
const INCIDENT_STATUS: Readonly<Record<number, EventStatus>> = {
  ...FINDING_STATUS,
  3: 'in_progress',
  5: 'closed',
};
/** `type_id` of an observable. */
const OBSERVABLE = { host: 1, user: 4, indicators: new Set([2, 5, 6, 8]) };

export const isOcsf = (event: Fields) => Number.isInteger(event.class_uid) && isFields(event.metadata);

export function fromOcsf(event: Fields): Draft {
  const findings = [
    at(event, 'finding_info'),
    at(event, 'finding'),
    ...listOf(event.finding_info_list),
  ].filter(isFields);
  const [finding] = findings;
  const attacks = [...findings.flatMap((one) => listOf(one.attacks)), ...listOf(event.attacks)];
  const observables = listOf(event.observables).filter(isFields);
  const observed = (wanted: (type: number) => boolean) =>
    observables.filter((one) => wanted(numberOf(one.type_id))).flatMap((one) => textOf(one.value) ?? []);
  const statuses = event.class_uid === INCIDENT ? INCIDENT_STATUS : FINDING_STATUS;
  const title = firstText(finding, 'title') ?? firstText(event, 'message', 'class_name', 'activity_name');
  return {
    title,
    description: firstText(finding, 'desc') ?? firstText(event, 'desc', 'message', 'comment'),
    severity: SEVERITIES[numberOf(event.severity_id)] ?? severityOfWord(event.severity) ?? 'medium',
    status: statuses[numberOf(event.status_id)],
    source:
      firstText(event, 'metadata.product.name', 'metadata.product.vendor_name', 'metadata.log_provider') ??
      'ocsf',
    external_id: firstText(finding, 'uid') ?? firstText(event, 'metadata.uid'),
    category:
      firstText(finding, 'types.0') ??
      allTexts(finding, 'types')[0] ??
      firstText(event, 'class_name', 'category_name'),
    occurred_at: timeOf(event.time ?? at(event, 'time_dt') ?? at(finding, 'created_time')),
    techniques: [
      ...attacks.flatMap((one) => {
        const sub = firstText(one, 'sub_technique.uid');
        return sub ? [sub] : allTexts(one, 'technique.uid');
      }),
      ...findings.flatMap((one) => listOf(one.techniques)).flatMap((one) => allTexts(one, 'uid')),
    ].flatMap(techniquesIn),
    assets: [
      ...devicesOf(event),
      ...observed((type) => type === OBSERVABLE.host).map((name) => ({ name, kind: 'host' })),
      ...[...listOf(event.resources), ...listOf(event.resource)].flatMap((one) => {
        const name = firstText(one, 'name', 'uid');
        return name ? [{ name, kind: firstText(one, 'type') ?? 'resource' }] : [];
      }),
    ],
    users: [
      ...listOf(event.evidences).flatMap((one) => allTexts(one, 'actor.user.name', 'user.name')),
      ...allTexts(event, 'actor.user.name', 'user.name'),
      ...observed((type) => type === OBSERVABLE.user),
    ],
    indicators: observed((type) => OBSERVABLE.indicators.has(type)).filter(isTelling),
  };
}

function devicesOf(event: Fields): Draft['assets'] {
  const holders = [event, ...listOf(event.evidences)];
  return holders.flatMap((one) => {
    const name = firstText(one, 'device.hostname', 'device.name', 'device.ip', 'dst_endpoint.hostname');
    return name ? [{ name, kind: 'host' }] : [];
  });
}
