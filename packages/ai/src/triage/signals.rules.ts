import type { EventQuote, TriageContent } from '@muster/contracts';
import { counted, listed } from '../prose/prose.ts';
import { behaviourIn, byStage, idsIn, techniqueOf } from '../techniques/techniques.rules.ts';
import type { CueKind } from './cues.data.ts';
import { cuesIn } from './cues.rules.ts';
import { type EventField, fieldsOf, type OrganizationContext, type TriageInput } from './event.ts';

type Rationale = TriageContent['rationale'][number];

/** All that bears on a verdict, and how much. */
export interface Signals {
  cues: ReadonlyMap<CueKind, EventQuote[]>;
  /** Named by the source, by the text, or by behaviour; the earliest stage first. */
  techniques: string[];
  /** What the organization depends on and the event touches. */
  jewels: NonNullable<OrganizationContext['crown_jewels']>[number][];
  /** Among similar events that were judged: the share of each. */
  alike: { judged: number; false_positive: number; true_positive: number };
  /** How much speaks for an attack; 3.5 and more is taken for one. */
  malice: number;
  rationale: Rationale[];
}

const SEVERITY_MALICE = { informational: -1, low: 0, medium: 0.5, high: 1, critical: 2 } as const;
const MOST_QUOTES = 3;
const CUE_TEXTS: Readonly<Record<CueKind, string>> = {
  test: 'It says that it comes from a test or an exercise.',
  benign: 'It speaks of an expected or approved activity.',
  false_positive: 'It is called a false alarm.',
  malicious: 'It speaks of an attack, malware or misuse.',
  succeeded: 'What was tried seems to have succeeded.',
  prevented: 'It seems to have been stopped.',
};

/** Reads an event for everything that bears on its verdict; each finding quotes the event where it comes from it. */
export function signalsOf({ event, similar, organization }: TriageInput): Signals {
  const fields = fieldsOf(event);
  const cues = cuesIn(fields);
  const behaviour = behaviourOf(fields);
  const techniques = byStage([
    ...event.techniques,
    ...fields.flatMap(({ text }) => idsIn(text)),
    ...behaviour.keys(),
  ]);
  const jewels = jewelsIn(event.assets, fields, organization);
  const judged = similar.filter(({ verdict }) => verdict && verdict !== 'unknown');
  const share = (verdict: string) =>
    judged.filter((one) => one.verdict === verdict).length / Math.max(1, judged.length);
  const alike = {
    judged: judged.length,
    false_positive: share('false_positive') + share('benign'),
    true_positive: share('true_positive'),
  };
  const malice =
    Math.min(4.5, 1.5 * behaviour.size) +
    (cues.has('malicious') ? 2 : 0) +
    Math.min(1.5, 0.5 * event.techniques.length) +
    SEVERITY_MALICE[event.severity] +
    (jewels.length > 0 ? 0.5 : 0) +
    (cues.has('succeeded') ? 1 : 0) +
    Math.min(2, alike.true_positive * alike.judged);
  const rationale = [
    ...[...behaviour].map(([id, evidence]) => ({
      text: `It describes ${techniqueOf(id)?.name ?? id} (${id}).`,
      evidence,
    })),
    ...[...cues].map(([kind, evidence]) => ({
      text: CUE_TEXTS[kind],
      evidence: evidence.slice(0, MOST_QUOTES),
    })),
    ...jewels.map(({ jewel, evidence }) => ({
      text: `It touches ${jewel.name}, which the organization depends on (criticality ${jewel.criticality} of 5).`,
      evidence,
    })),
    ...likeness(similar, judged.length),
  ];
  return { cues, techniques, jewels: jewels.map(({ jewel }) => jewel), alike, malice, rationale };
}

/** The texts that show each technique's behaviour. */
function behaviourOf(fields: readonly EventField[]): Map<string, EventQuote[]> {
  const found = new Map<string, EventQuote[]>();
  for (const { field, text } of fields) {
    for (const { id, quote } of behaviourIn(text)) {
      const quotes = found.get(id) ?? [];
      if (quotes.length < MOST_QUOTES) found.set(id, [...quotes, { field, quote }]);
    }
  }
  return found;
}

function jewelsIn(
  assets: TriageInput['event']['assets'],
  fields: readonly EventField[],
  organization: TriageInput['organization'],
): { jewel: Signals['jewels'][number]; evidence: EventQuote[] }[] {
  return (organization?.crown_jewels ?? []).flatMap((jewel) => {
    const name = jewel.name.trim().toLowerCase();
    if (name === '') return [];
    const places = [...assets.map((asset) => ({ field: 'assets', text: asset.name })), ...fields];
    for (const { field, text } of places) {
      const at = text.toLowerCase().indexOf(name);
      const quote = at === -1 ? '' : text.slice(at, at + name.length);
      if (quote !== '') return [{ jewel, evidence: [{ field, quote }] }];
    }
    return [];
  });
}

function likeness(similar: TriageInput['similar'], judged: number): Rationale[] {
  if (similar.length === 0) return [];
  const shared = [...new Set(similar.flatMap((one) => one.shared))];
  const verdicts = Map.groupBy(
    similar.flatMap(({ verdict }) => verdict ?? []),
    (verdict) => verdict,
  );
  const outcome = [...verdicts].map(([verdict, all]) => `${all.length} ${verdict.replaceAll('_', ' ')}`);
  return [
    {
      text: `${counted(similar.length, 'earlier event')} ${similar.length === 1 ? 'is' : 'are'} like it${
        shared.length > 0 ? `, by ${listed(shared, 3)}` : ''
      }${judged > 0 ? `; judged: ${listed(outcome)}` : ''}.`,
      evidence: [],
    },
  ];
}
