import { techniqueOf } from '@muster/attack';
import type { Indicator, IntelItem } from '@muster/contracts';
import { v5 } from 'uuid';
import { tlpMarking } from './stix-tlp.rules.ts';

/** An object of a bundle. `shared` ones are the same in every item that names them. */
export interface Exported {
  object: { type: string; id: string } & Record<string, unknown>;
  shared: boolean;
}

/** Ours: the same thing has the same id in every export. */
const NAMESPACE = '6d1f1a52-8e0b-5f0e-9a53-0c9d8b1c7a11';
/** Of what is shared, which no item may date. */
const SHARED_AT = '2025-10-28T00:00:00.000Z';
const SPEC = { spec_version: '2.1' } as const;

const idOf = (type: string, name: string) => `${type}--${v5(`${type} ${name}`, NAMESPACE)}`;

/** A bundle's id by what it holds. */
export const bundleId = (content: string) => idOf('bundle', content);

/** An item as STIX 2.1: a report, and everything it refers to before it. @param org whose export it is */
export function objectsOf(item: IntelItem, org: string): Exported[] {
  const marking = item.tlp && tlpMarking(item.tlp);
  const publisher =
    item.publisher === null
      ? null
      : sharedObject('identity', item.publisher, { identity_class: 'organization' });
  const own = ownObject(item, org, {
    ...(publisher && { created_by_ref: publisher.object.id }),
    ...(marking && { object_marking_refs: [marking.id] }),
  });
  const techniques = item.techniques.map(({ id, name }) => attackPattern(id, name));
  const actors = item.actors.map((name) => sharedObject('intrusion-set', name, {}));
  const malware = item.malware.map((name) => sharedObject('malware', name, { is_family: true }));
  const tools = item.tools.map((name) => sharedObject('tool', name, {}));
  const vulnerabilities = item.cves.map((cve) =>
    sharedObject('vulnerability', cve, { external_references: [{ source_name: 'cve', external_id: cve }] }),
  );
  const indicators = item.indicators.map((indicator) =>
    own('indicator', `${indicator.type} ${indicator.value}`, indicatorFields(item, indicator)),
  );
  const about = [...techniques, ...actors, ...malware, ...tools, ...vulnerabilities, ...indicators];
  const relationships = relationsOf({ techniques, actors, malware, tools, vulnerabilities, indicators }).map(
    ([from, verb, to]) =>
      own('relationship', `${from.object.id} ${verb} ${to.object.id}`, {
        relationship_type: verb,
        source_ref: from.object.id,
        target_ref: to.object.id,
      }),
  );
  const refs = [...about, ...relationships, ...(about.length === 0 && publisher ? [publisher] : [])].map(
    ({ object }) => object.id,
  );
  return [
    ...(marking ? [{ object: { ...marking }, shared: true }] : []),
    ...(publisher ? [publisher] : []),
    ...about,
    ...relationships,
    own('report', 'report', reportFields(item, refs)),
  ];
}

function reportFields(item: IntelItem, refs: string[]) {
  const labels = [
    ...item.tags,
    `severity:${item.severity}`,
    ...item.sectors.map((sector) => `sector:${sector}`),
  ];
  return {
    name: item.title,
    ...(item.summary !== '' && { description: item.summary }),
    report_types: ['threat-report'],
    published: item.published_at ?? item.ingested_at,
    // A report refers to something: to itself where nothing was found in it.
    object_refs: refs.length > 0 ? refs : [idOf('report', `${item.id} report`)],
    labels,
    ...(item.url !== null && {
      external_references: [{ source_name: item.publisher ?? 'source', url: item.url }],
    }),
  };
}

const PATTERNS: Readonly<Record<Indicator['type'], (value: string) => string>> = {
  ipv4: (value) => `[ipv4-addr:value = ${value}]`,
  ipv6: (value) => `[ipv6-addr:value = ${value}]`,
  domain: (value) => `[domain-name:value = ${value}]`,
  url: (value) => `[url:value = ${value}]`,
  email: (value) => `[email-addr:value = ${value}]`,
  md5: (value) => `[file:hashes.MD5 = ${value}]`,
  sha1: (value) => `[file:hashes.'SHA-1' = ${value}]`,
  sha256: (value) => `[file:hashes.'SHA-256' = ${value}]`,
};

function indicatorFields(item: IntelItem, { type, value }: Indicator) {
  return {
    name: value,
    indicator_types: ['malicious-activity'],
    pattern: PATTERNS[type](`'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`),
    pattern_type: 'stix',
    valid_from: item.published_at ?? item.ingested_at,
  };
}

function attackPattern(id: string, name: string): Exported {
  const kill_chain_name = techniqueOf(id)?.domain === 'ics' ? 'mitre-ics-attack' : 'mitre-attack';
  const url = `https://attack.mitre.org/techniques/${id.replace('.', '/')}`;
  const phases = techniqueOf(id)?.tactics.map((phase_name) => ({ kill_chain_name, phase_name })) ?? [];
  return sharedObject('attack-pattern', id, {
    name,
    external_references: [{ source_name: 'mitre-attack', external_id: id, url }],
    ...(phases.length > 0 && { kill_chain_phases: phases }),
  });
}

/** An object that says the same in every item: its id follows from its name. */
function sharedObject(type: string, name: string, fields: Record<string, unknown>): Exported {
  const object = {
    type,
    ...SPEC,
    id: idOf(type, name),
    created: SHARED_AT,
    modified: SHARED_AT,
    name,
    ...fields,
  };
  return { object, shared: true };
}

function ownObject({ id, ingested_at, updated_at }: IntelItem, org: string, marks: Record<string, unknown>) {
  return (type: string, name: string, fields: Record<string, unknown>): Exported => ({
    object: {
      type,
      ...SPEC,
      id: idOf(type, type === 'report' ? `${id} report` : `${org} ${id} ${name}`),
      created: ingested_at,
      modified: updated_at,
      ...marks,
      ...fields,
    },
    shared: false,
  });
}

type Groups = Record<
  'techniques' | 'actors' | 'malware' | 'tools' | 'vulnerabilities' | 'indicators',
  Exported[]
>;
type Relation = [from: Exported, verb: 'uses' | 'targets' | 'indicates', to: Exported];

/** Who uses and aims at what, where an item tells of one actor or one malware only: of several it does not say which. */
function relationsOf({
  techniques,
  actors,
  malware,
  tools,
  vulnerabilities,
  indicators,
}: Groups): Relation[] {
  const [actor] = actors.length === 1 ? actors : [];
  const [family] = malware.length === 1 ? malware : [];
  const user = actor ?? family;
  const uses = user
    ? [...techniques, ...tools, ...(actor ? malware : [])].map((to): Relation => [user, 'uses', to])
    : [];
  const aims = user ? vulnerabilities.map((to): Relation => [user, 'targets', to]) : [];
  const shown = family ?? actor;
  const shows = shown ? indicators.map((from): Relation => [from, 'indicates', shown]) : [];
  return [...uses, ...aims, ...shows];
}
