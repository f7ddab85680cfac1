import { techniqueOf } from '@muster/attack';
import type { Indicator, IntelPatch, IntelTechnique } from '@muster/contracts';
import { defang } from '../extraction/defang.rules.ts';
import type { Extraction } from '../extraction/extraction.rules.ts';
import type { Corrections } from './item.model.ts';

type Findings = NonNullable<IntelPatch['add']>;
type ListField = keyof Findings;
const LIST_FIELDS = [
  'techniques',
  'indicators',
  'cves',
  'actors',
  'malware',
  'tools',
  'sectors',
] as const satisfies readonly ListField[];

/** What was extracted, as people have corrected it. */
export function corrected(extracted: Extraction, corrections: Corrections): Extraction {
  const { add = {}, remove = {}, ...fields } = corrections;
  const severity_reason = fields.severity
    ? { text: 'Set by a person.', quote: null }
    : extracted.severity_reason;
  return {
    ...extracted,
    ...fields,
    severity_reason,
    techniques: changed(
      extracted.techniques,
      ({ id }) => id,
      (add.techniques ?? []).flatMap(techniqueNamed),
      remove.techniques,
    ),
    indicators: changed(
      extracted.indicators,
      keyOf,
      (add.indicators ?? []).map(indicatorOf),
      remove.indicators?.map(keyOf),
    ),
    ...named(extracted, add, remove),
  };
}

function named(extracted: Extraction, add: Findings, remove: Findings) {
  const list = (name: 'cves' | 'actors' | 'malware' | 'tools' | 'sectors') =>
    changed(
      extracted[name],
      (value) => value.toLowerCase(),
      add[name] ?? [],
      remove[name]?.map((value) => value.toLowerCase()),
    );
  return {
    cves: list('cves'),
    actors: list('actors'),
    malware: list('malware'),
    tools: list('tools'),
    sectors: list('sectors'),
  };
}

function changed<One>(
  list: readonly One[],
  key: (one: One) => string,
  add: readonly One[],
  remove: readonly string[] = [],
): One[] {
  const removed = new Set(remove);
  const kept = list.filter((one) => !removed.has(key(one)));
  const known = new Set(kept.map(key));
  return [...kept, ...add.filter((one) => !known.has(key(one)))];
}

const keyOf = ({ type, value }: Pick<Indicator, 'type' | 'value'>) => `${type} ${value.toLowerCase()}`;
const indicatorOf = ({ type, value }: Pick<Indicator, 'type' | 'value'>): Indicator => ({
  type,
  value,
  defanged: defang(type, value),
});

function techniqueNamed(id: string): IntelTechnique[] {
  const known = techniqueOf(id);
  return known ? [{ id: known.id, name: known.name, evidence: [] }] : [];
}

/** Corrections with later ones laid over them: who adds what was removed, or removes what was added, takes that back. */
export function merged(before: Corrections, patch: IntelPatch): Corrections {
  const { add = {}, remove = {}, ...fields } = patch;
  const together: Corrections = { ...before, ...fields };
  for (const name of LIST_FIELDS) {
    together.add = { ...together.add, [name]: joined(before.add?.[name], add[name], remove[name]) };
    together.remove = { ...together.remove, [name]: joined(before.remove?.[name], remove[name], add[name]) };
  }
  return together;
}

/** A list with more in it and without what is taken out. */
function joined(
  list: readonly unknown[] = [],
  more: readonly unknown[] = [],
  out: readonly unknown[] = [],
): unknown[] {
  const text = (one: unknown) => JSON.stringify(one).toLowerCase();
  const gone = new Set(out.map(text));
  const all = new Map([...list, ...more].map((one) => [text(one), one]));
  return [...all].flatMap(([key, one]) => (gone.has(key) ? [] : [one]));
}

/** The techniques of a patch that ATT&CK does not know, by their place in it. */
export function unknownTechniques({ add, remove }: IntelPatch): { path: string; id: string }[] {
  return (['add', 'remove'] as const).flatMap((field) =>
    ((field === 'add' ? add : remove)?.techniques ?? []).flatMap((id, index) =>
      techniqueOf(id) ? [] : [{ path: `/${field}/techniques/${index}`, id }],
    ),
  );
}
