import { techniqueOf } from '@muster/attack';
import type { IntelSeverity, TlpLabel } from '@muster/contracts';
import { actorNamed, softwareNamed } from '../extraction/names.rules.ts';
import { isRecord, records, stringOf } from './json.rules.ts';
import { attributeFacts, isComment } from './misp-attribute.rules.ts';
import { emptyReading, oneLine, type Reading, timeOf, Unreadable } from './reading.rules.ts';
import { type Fact, textWriter } from './writer.rules.ts';

type Json = Record<string, unknown>;

/** Events of one document at most. */
const MAX_EVENTS = 100;
const MAX_ATTRIBUTES = 5000;
const MAX_OBJECTS = 2000;
const MAX_TAGS = 300;
/** `threat_level_id` of MISP; 4 is undefined. */
const LEVELS: Readonly<Record<string, IntelSeverity>> = { 1: 'high', 2: 'medium', 3: 'low' };
const GALAXY = /^misp-galaxy:([\w-]+)="([^"]{1,200})"$/;
const TLP_TAG = /^tlp:(clear|white|green|amber|amber\+strict|red)$/i;

/** Reads one MISP event, or several, an item each. @throws Unreadable when there is none in it */
export function readMispEvents(value: unknown, url: string | null): Reading[] {
  const response = isRecord(value) && Array.isArray(value.response) ? value.response : value;
  const list = Array.isArray(response) ? records(response, MAX_EVENTS) : isRecord(response) ? [response] : [];
  const events = list.flatMap(({ Event }) => (isRecord(Event) ? [Event] : []));
  if (events.length === 0) throw new Unreadable('It is a MISP answer without events.');
  return events.map((event) => readEvent(event, url));
}

function readEvent(event: Json, url: string | null): Reading {
  const title = oneLine(stringOf(event.info), 300) || 'MISP event without a title';
  const tags = records(event.Tag, MAX_TAGS)
    .map(({ name }) => stringOf(name).trim())
    .filter(Boolean);
  const objects = records(event.Object, MAX_OBJECTS);
  const attributes = [
    ...records(event.Attribute, MAX_ATTRIBUTES),
    ...objects.flatMap((object) => records(object.Attribute, 200)),
  ].slice(0, MAX_ATTRIBUTES);
  const writer = textWriter();
  writer.prose(title);
  for (const tag of tags) writer.line(`tag: ${tag}`, tagFacts(tag));
  for (const cluster of records(event.Galaxy, 100).flatMap((galaxy) => records(galaxy.GalaxyCluster, 100))) {
    const tag =
      stringOf(cluster.tag_name) || `misp-galaxy:${stringOf(cluster.type)}="${stringOf(cluster.value)}"`;
    writer.line(`galaxy: ${tag}`, tagFacts(tag));
  }
  const references: string[] = [];
  for (const attribute of attributes) {
    const said = oneLine(stringOf(attribute.value), 2000);
    if (isComment(attribute)) writer.prose(stringOf(attribute.value));
    else writer.line(`${stringOf(attribute.type)}: ${said}`, attributeFacts(attribute));
    if (stringOf(attribute.type) === 'link' && URL.canParse(said)) references.push(said);
  }
  const { omitted, ...written } = writer.end();
  const uuid = stringOf(event.uuid).toLowerCase();
  const level = LEVELS[stringOf(event.threat_level_id)];
  return emptyReading({
    format: 'misp',
    key: /^[0-9a-f-]{36}$/.test(uuid) ? `misp:${uuid}` : null,
    revision: stringOf(event.timestamp) || null,
    url,
    title,
    publisher: isRecord(event.Orgc) ? oneLine(stringOf(event.Orgc.name), 200) || null : null,
    published_at: timeOf(stringOf(event.date)) ?? secondsOf(event.timestamp),
    summary: title,
    ...written,
    severity: level
      ? {
          value: level,
          reason: `Its source gives it the threat level ${stringOf(event.threat_level_id)} of MISP.`,
        }
      : null,
    tlp: tlpOf(tags),
    tags: tags
      .filter((tag) => !GALAXY.test(tag) && !TLP_TAG.test(tag))
      .map((tag) => oneLine(tag, 80))
      .slice(0, 30),
    references: references.slice(0, 50),
    notes: omitted > 0 ? [`${omitted} attributes found no room in the text.`] : [],
  });
}

const secondsOf = (timestamp: unknown) => {
  const seconds = Number(stringOf(timestamp));
  return seconds > 0 && seconds < 1e11 ? timeOf(new Date(seconds * 1000).toISOString()) : null;
};

function tlpOf(tags: readonly string[]): TlpLabel | null {
  const [, label] = tags.map((tag) => TLP_TAG.exec(tag)).find((match) => match !== null) ?? [];
  return label ? (label.toLowerCase().replace('white', 'clear') as TlpLabel) : null;
}

/** What a tag of a galaxy says, https://www.misp-project.org/galaxy.html. */
function tagFacts(tag: string): Fact[] {
  const [, galaxy = '', value = ''] = GALAXY.exec(tag) ?? [];
  const name = value.replace(/ - [TGS]\d{4}(?:\.\d{3})?$/, '');
  const id = /\b(T\d{4}(?:\.\d{3})?)$/.exec(value)?.[1];
  const technique = id ? techniqueOf(id) : undefined;
  if (technique) return [{ kind: 'technique', value: technique.id }];
  if (/intrusion-set|threat-actor|microsoft-activity-group/.test(galaxy))
    return [{ kind: 'actor', value: actorNamed(name), words: value }];
  if (/malware|ransomware|malpedia|stealer|backdoor|rat$|banker|botnet|tool/.test(galaxy)) {
    const software = softwareNamed(name.replace(/ \([^()]*\)$/, ''));
    return [{ kind: software.kind, value: software.value, words: value }];
  }
  return galaxy === 'sector' ? [{ kind: 'sector', value: name.toLowerCase(), words: value }] : [];
}

/** The events of a feed manifest, the latest change first: `{uuid, timestamp, info}`. */
export function manifestEntries(value: unknown, limit: number): { uuid: string; timestamp: string }[] {
  return Object.entries(isRecord(value) ? value : {})
    .flatMap(([uuid, entry]) =>
      isRecord(entry) && /^[0-9a-f-]{36}$/i.test(uuid)
        ? [{ uuid, timestamp: stringOf(entry.timestamp) }]
        : [],
    )
    .toSorted((one, other) => Number(other.timestamp) - Number(one.timestamp))
    .slice(0, limit);
}
