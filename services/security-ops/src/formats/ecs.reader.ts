import type { EventSeverity, EventStatus } from '@muster/contracts';
import type { Draft } from './draft.rules.ts';
import {
  allTexts,
  at,
  type Fields,
  firstText,
  isFields,
  listOf,
  severityOfWord,
  timeOf,
} from './fields.rules.ts';
import { isTelling } from './indicator.rules.ts';
import { techniquesIn } from './technique.rules.ts';

// Elastic Common Schema, https://www.elastic.co/guide/en/ecs/current/, keys nested or dotted, and alerts of its rules.

const MARKS = ['@timestamp', 'ecs.version', 'event.kind', 'kibana.alert.uuid', 'kibana.alert.rule.name'];
const WORKFLOW: Readonly<Record<string, EventStatus>> = {
  open: 'new',
  acknowledged: 'in_progress',
  closed: 'closed',
};
/** Where the risk that Elastic gives to low, medium and high ends. */
const RISK: readonly (readonly [number, EventSeverity])[] = [
  [0, 'informational'],
  [21, 'low'],
  [47, 'medium'],
  [73, 'high'],
];

export const isEcs = (event: Fields) => MARKS.some((mark) => at(event, mark) !== undefined);

/** Reads a document, or a search hit around one. */
export function fromEcs(event: Fields): Draft {
  const rule = firstText(event, 'kibana.alert.rule.name', 'rule.name', 'signal.rule.name');
  const message = firstText(event, 'message', 'kibana.alert.reason', 'event.reason', 'rule.description');
  return {
    title: rule ?? message ?? firstText(event, 'event.action', 'event.dataset'),
    description: message,
    severity: severityOf(event),
    status: WORKFLOW[firstText(event, 'kibana.alert.workflow_status') ?? ''],
    source:
      firstText(
        event,
        'observer.product',
        'event.module',
        'event.provider',
        'data_stream.dataset',
        'event.dataset',
      ) ??
      firstText(event, 'agent.type') ??
      'elastic',
    external_id: firstText(event, 'kibana.alert.uuid', 'event.id', '_id'),
    category: allTexts(event, 'event.category')[0] ?? firstText(event, 'rule.category', 'event.kind'),
    occurred_at: timeOf(at(event, '@timestamp') ?? at(event, 'event.created')),
    techniques: [
      ...listOf(at(event, 'kibana.alert.rule.threat')).filter(isFields).flatMap(techniqueIds),
      ...allTexts(event, 'threat.technique.id', 'threat.technique.subtechnique.id'),
    ].flatMap(techniquesIn),
    assets: allTexts(event, 'host.name', 'host.hostname')
      .slice(0, 1)
      .map((name) => ({ name, kind: 'host' })),
    users: allTexts(event, 'user.name', 'source.user.name', 'destination.user.name', 'related.user'),
    indicators: allTexts(
      event,
      'source.ip',
      'destination.ip',
      'destination.domain',
      'url.full',
      'dns.question.name',
      'file.hash.sha256',
      'process.hash.sha256',
      'file.hash.md5',
      'threat.indicator.ip',
      'threat.indicator.url.full',
      'email.from.address',
    ).filter(isTelling),
  };
}

/** Rules of Elastic carry a list of tactics, each with its techniques. */
function techniqueIds(threat: Fields): string[] {
  return listOf(threat.technique)
    .filter(isFields)
    .flatMap((one) => {
      const subs = listOf(one.subtechnique).flatMap((sub) => allTexts(sub, 'id'));
      return subs.length > 0 ? subs : allTexts(one, 'id');
    });
}

/** A rule's word, else a number: up to 10 on a scale of ten, above as the risk of 100 that Elastic counts. */
function severityOf(event: Fields): EventSeverity {
  const given = firstText(
    event,
    'kibana.alert.severity',
    'event.severity',
    'kibana.alert.risk_score',
    'event.risk_score',
  );
  const number = Number(given ?? Number.NaN);
  if (!Number.isFinite(number))
    return severityOfWord(given) ?? severityOfWord(at(event, 'log.level')) ?? 'medium';
  const risk = number > 10 ? number : number * 10 - (number > 0 ? 5 : 0);
  return RISK.find(([most]) => risk <= most)?.[1] ?? 'critical';
}
