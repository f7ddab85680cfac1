import { isRecord, records, stringOf, strings } from './json.rules.ts';
import { emptyReading, oneLine, type Reading, timeOf, Unreadable } from './reading.rules.ts';
import { describe, type StixObject } from './stix-object.rules.ts';
import { labelOf } from './stix-tlp.rules.ts';
import { textWriter } from './writer.rules.ts';

const MAX_OBJECTS = 20_000;
/** Reports of one bundle at most, the newest. */
const MAX_REPORTS = 100;
const MAX_NAMED = 10;
const CONTAINERS = new Set([
  'report',
  'grouping',
  'marking-definition',
  'extension-definition',
  'language-content',
  'bundle',
  'relationship',
  'sighting',
]);

/**
 * Reads a STIX 2.1 bundle: an item for each report in it, the newest first, or one for the bundle where there is none.
 * References that lead nowhere are named in the notes. @throws Unreadable when there is no object in it
 */
export function readStix(value: unknown, url: string | null): Reading[] {
  const bundle = isRecord(value) ? value : {};
  const list = Array.isArray(value) ? value : (bundle.objects ?? [value]);
  const objects = records(list, MAX_OBJECTS).filter(isObject);
  if (objects.length === 0) throw new Unreadable('It is a STIX bundle without objects.');
  const byId = new Map<string, StixObject>();
  for (const object of objects) {
    const known = byId.get(object.id);
    if (!known || stringOf(known.modified) <= stringOf(object.modified)) byId.set(object.id, object);
  }
  const dropped = (Array.isArray(list) ? list.length : 1) - objects.length;
  const notes = dropped > 0 ? [`${dropped} entries of the bundle are no STIX objects or were too many.`] : [];
  const reports = [...byId.values()]
    .filter(({ type, revoked }) => (type === 'report' || type === 'grouping') && revoked !== true)
    .toSorted((one, other) => publishedAt(other).localeCompare(publishedAt(one)));
  if (reports.length === 0) return [readBundle(bundle, byId, { url, notes })];
  const left = reports.length - MAX_REPORTS;
  const more = left > 0 ? [...notes, `${left} older reports of the bundle were left out.`] : notes;
  return reports
    .slice(0, MAX_REPORTS)
    .map((report, index) => readReport(report, byId, { url, notes: index === 0 ? more : [] }));
}

const isObject = (value: Record<string, unknown>): value is StixObject =>
  typeof value.type === 'string' &&
  typeof value.id === 'string' &&
  value.id.startsWith(`${value.type}--`) &&
  value.id.length < 200;
const publishedAt = ({ published, modified, created }: StixObject) =>
  timeOf(published) ?? timeOf(modified) ?? timeOf(created) ?? '';

interface Around {
  url: string | null;
  notes: string[];
}

function readReport(report: StixObject, byId: ReadonlyMap<string, StixObject>, around: Around): Reading {
  const refs = strings(report.object_refs, MAX_OBJECTS);
  const dangling = refs.filter((ref) => !byId.has(ref));
  const objects = refs.flatMap((ref) => byId.get(ref) ?? []);
  const title = oneLine(stringOf(report.name), 300) || 'Report without a name';
  const writer = textWriter();
  writer.prose(`${title}\n\n${stringOf(report.description)}`);
  for (const object of objects)
    if (!CONTAINERS.has(object.type)) describe(writer, object, { isProse: false });
  const { omitted, ...written } = writer.end();
  const labels = strings(report.labels, 50);
  return emptyReading({
    format: 'stix',
    key: `stix:${report.id}`,
    revision: stringOf(report.modified) || null,
    url: addressOf(report) ?? null,
    title,
    publisher: nameOf(byId.get(stringOf(report.created_by_ref))),
    published_at: timeOf(report.published) ?? timeOf(report.created),
    summary: oneLine(stringOf(report.description), 500) || null,
    ...written,
    given: [...written.given, ...sectorsGiven(labels, title.length)],
    severity: severityIn(labels),
    tlp: labelOf(strings(report.object_marking_refs, 20)),
    tags: labels
      .filter((label) => !/^(?:severity|sector):/.test(label))
      .map((label) => oneLine(label, 80))
      .slice(0, 30),
    notes: [...around.notes, ...danglingNotes(dangling), ...omittedNotes(omitted)],
  });
}

function readBundle(
  bundle: Record<string, unknown>,
  byId: ReadonlyMap<string, StixObject>,
  { url, notes }: Around,
): Reading {
  const objects = [...byId.values()].filter(({ type, revoked }) => !CONTAINERS.has(type) && revoked !== true);
  const dangling = [...byId.values()].flatMap((object) =>
    [object.source_ref, object.target_ref].flatMap((ref) =>
      typeof ref === 'string' && !byId.has(ref) ? [ref] : [],
    ),
  );
  const named = objects
    .flatMap((object) => (['identity', 'indicator'].includes(object.type) ? [] : (nameOf(object) ?? [])))
    .slice(0, 3);
  const title =
    named.length > 0 ? `STIX bundle: ${named.join(', ')}` : `STIX bundle of ${objects.length} objects`;
  const identity = objects.find(({ type }) => type === 'identity');
  const newest = objects.map(publishedAt).sort().at(-1) ?? '';
  const writer = textWriter();
  writer.line(title);
  for (const object of objects) describe(writer, object, { isProse: true });
  const { omitted, ...written } = writer.end();
  const id = stringOf(bundle.id);
  return emptyReading({
    format: 'stix',
    key: url === null && /^bundle--/.test(id) ? `stix:${id.slice(0, 100)}` : null,
    url,
    title: oneLine(title, 300),
    publisher: nameOf(identity),
    published_at: newest || null,
    ...written,
    tlp: labelOf([...byId.values()].flatMap((object) => strings(object.object_marking_refs, 20))),
    notes: [...notes, ...danglingNotes(dangling), ...omittedNotes(omitted)],
  });
}

const nameOf = (object: StixObject | undefined) => oneLine(stringOf(object?.name), 200) || null;

/** Where a report says it can be read. */
function addressOf({ external_references }: StixObject): string | undefined {
  const addresses = records(external_references, 50).map(({ url }) => stringOf(url));
  return addresses.find((address) => URL.canParse(address) && /^https?:/.test(address));
}

function danglingNotes(dangling: readonly string[]): string[] {
  const missing = [...new Set(dangling)];
  if (missing.length === 0) return [];
  const named = missing
    .slice(0, MAX_NAMED)
    .map((ref) => oneLine(ref, 100))
    .join(', ');
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
  return [
    `It refers to ${missing.length === 1 ? 'an object' : `${missing.length} objects`} that it does not hold: ${named}${more}.`,
  ];
}

const omittedNotes = (omitted: number) =>
  omitted > 0 ? [`${omitted} lines found no room in the text.`] : [];

/** What our own exports say in labels. */
function severityIn(labels: readonly string[]): Reading['severity'] {
  const said = labels
    .map((label) => /^severity:(informational|low|medium|high|critical)$/.exec(label)?.[1])
    .find(Boolean);
  return said
    ? { value: said as NonNullable<Reading['severity']>['value'], reason: 'The source says so.' }
    : null;
}

function sectorsGiven(labels: readonly string[], end: number): Reading['given'] {
  const sectors = labels.flatMap((label) => /^sector:(.{2,60})$/.exec(label)?.[1] ?? []);
  return sectors.map((value) => ({ kind: 'sector', value, start: 0, end, how: 'given' }));
}
