import { techniqueOf } from '@muster/attack';
import { actorNamed, softwareNamed } from '../extraction/names.rules.ts';
import { records, stringOf, strings } from './json.rules.ts';
import { observable } from './observable.rules.ts';
import { oneLine } from './reading.rules.ts';
import { patternValues } from './stix-pattern.rules.ts';
import type { Fact, TextWriter } from './writer.rules.ts';

/** An object of a bundle: its type and id are as they should be, nothing else is sure. */
export type StixObject = Record<string, unknown> & { type: string; id: string };

const TECHNIQUE = /^T\d{4}(?:\.\d{3})?$/;
const CVE = /^CVE-\d{4}-\d{4,7}$/i;

/** Writes what an object says as a line, and its description as prose where nothing else is written for people. */
export function describe(writer: TextWriter, object: StixObject, { isProse }: { isProse: boolean }): void {
  const name = oneLine(stringOf(object.name), 300);
  const facts = factsOf(object, name);
  const pattern = object.type === 'indicator' ? ` ${oneLine(stringOf(object.pattern), 4000)}` : '';
  const value = 'value' in object ? ` ${oneLine(stringOf(object.value), 2000)}` : '';
  const ids = externalIds(object)
    .map((id) => ` (${id})`)
    .join('');
  writer.line(`${object.type}: ${name}${ids}${value}${pattern}`.trim(), facts);
  const description = stringOf(object.description);
  if (description === '') return;
  if (isProse && object.type !== 'attack-pattern') writer.prose(description);
  else writer.line(oneLine(description, 600));
}

const externalIds = ({ external_references }: StixObject) =>
  records(external_references, 50)
    .map(({ external_id }) => stringOf(external_id))
    .filter((id) => TECHNIQUE.test(id) || CVE.test(id))
    .slice(0, 3);

function factsOf(object: StixObject, name: string): Fact[] {
  switch (object.type) {
    case 'attack-pattern':
      return [...externalIds(object), ...(name.match(/\bT\d{4}(?:\.\d{3})?\b/g) ?? [])].flatMap((id) => {
        const technique = techniqueOf(id);
        return technique ? [{ kind: 'technique', value: technique.id } as const] : [];
      });
    case 'intrusion-set':
    case 'threat-actor':
      return name === '' ? [] : [{ kind: 'actor', value: actorNamed(name), words: name }];
    case 'malware':
    case 'tool': {
      if (name === '') return [];
      const { kind, value } = softwareNamed(name);
      return [{ kind: object.type === 'tool' ? 'tool' : kind, value, words: name }];
    }
    case 'vulnerability':
      return [name, ...externalIds(object)]
        .filter((id) => CVE.test(id))
        .map((id) => ({ kind: 'cve', value: id.toUpperCase() }));
    case 'indicator':
      return stringOf(object.pattern_type || 'stix') === 'stix'
        ? patternValues(stringOf(object.pattern)).flatMap(indicatorFact)
        : [];
    case 'identity':
      return strings(object.sectors, 10).map((sector) => ({
        kind: 'sector',
        value: oneLine(sector.replaceAll('-', ' '), 60),
      }));
    default:
      return [];
  }
}

function indicatorFact({ type, value }: ReturnType<typeof patternValues>[number]): Fact[] {
  const canonical = observable(type, value);
  return canonical === null ? [] : [{ kind: 'indicator', type, value: canonical, words: value }];
}
