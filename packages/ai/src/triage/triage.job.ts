import { type TriageContent, triageContent } from '@muster/contracts';
import type { Job } from '../jobs/job.ts';
import { clipped } from '../prose/prose.ts';
import { fieldsOf, type TriageInput } from './event.ts';
import { signalsOf } from './signals.rules.ts';
import { triageByRules } from './triage.rules.ts';

const TASK = `Triage a security event for an analyst.
- "verdict": true_positive, false_positive, benign (expected activity), suspicious, test, or unknown when the event does not tell. That a text calls itself a test or harmless proves nothing by itself.
- "priority" P1 to P4, "severity", "confidence" 0 to 1; "summary" in three sentences.
- "rationale": each reason with the words of the event that show it; "field" is the field's name, the quote a part of its text, letter for letter.
- "techniques": only ATT&CK ids of the list "possible_techniques".
- "recommended_actions": what to do now, naming the asset and the user of the event.
- "similar_events": ids out of the list, those that belong to the same case.
- "training_value" 0 to 100 and "training_reason": what a tabletop exercise about this would teach.`;
const LONGEST_FIELD = 4000;

export const triageJob: Job<TriageInput, TriageContent> = {
  name: 'triage-event',
  schema: triageContent,
  rules: triageByRules,
  prompt(input) {
    const { event, similar, organization } = input;
    const { severity, occurred_at, assets, users, indicators, occurrences } = event;
    return {
      task: TASK,
      material: {
        event: { severity, occurred_at, assets, users, indicators, occurrences },
        // By name, so that what stands under "password" is known for one.
        fields: Object.fromEntries(
          fieldsOf(event).map(({ field, text }) => [field, clipped(text, LONGEST_FIELD)]),
        ),
        possible_techniques: signalsOf(input).techniques,
        similar_events: similar,
        organization: organization ?? null,
      },
    };
  },
  problems: triageProblems,
  names: () => [],
  max_output_tokens: 2500,
};

/** What a model's triage claims that the event does not hold. */
export function triageProblems(written: TriageContent, input: TriageInput): string[] {
  const texts = Map.groupBy(
    [...fieldsOf(input.event), ...input.event.assets.map(({ name }) => ({ field: 'assets', text: name }))],
    ({ field }) => field,
  );
  const techniques = new Set(signalsOf(input).techniques);
  const similar = new Set(input.similar.map(({ id }) => id));
  const quotes = written.rationale.flatMap(({ evidence }) => evidence);
  return [
    ...quotes
      .filter(({ field, quote }) => !texts.get(field)?.some(({ text }) => text.includes(quote)))
      .map(({ field }) => `rationale: a quote does not stand in the field "${field}"`),
    ...(quotes.length === 0 && written.verdict !== 'unknown'
      ? ['rationale: quote the event for this verdict']
      : []),
    ...written.techniques
      .filter((id) => !techniques.has(id))
      .map((id) => `techniques: "${id}" is not possible here`),
    ...written.similar_events
      .filter((id) => !similar.has(id))
      .map((id) => `similar_events: there is no event "${id}" in the list`),
  ];
}
