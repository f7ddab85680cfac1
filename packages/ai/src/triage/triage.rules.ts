import {
  EVENT_SEVERITIES,
  type EventSeverity,
  type Priority,
  type TriageContent,
  type Verdict,
} from '@muster/contracts';
import { bare, clipped, counted, listed, paragraph } from '../prose/prose.ts';
import { actionsFor } from './actions.texts.ts';
import type { TriageInput } from './event.ts';
import { type Signals, signalsOf } from './signals.rules.ts';

const ATTACK = 3.5;
const SUSPICION = 1.5;
/** So many judged events, and such a share of them, make the next one alike. */
const HABIT = { judged: 3, share: 0.7 };
const MOST_RATIONALE = 30;
const MOST_TECHNIQUES = 60;
const MOST_SIMILAR = 200;

const PRIORITIES: Readonly<Record<EventSeverity, { attack: Priority; suspicion: Priority; open: Priority }>> =
  {
    critical: { attack: 'P1', suspicion: 'P1', open: 'P2' },
    high: { attack: 'P1', suspicion: 'P2', open: 'P3' },
    medium: { attack: 'P2', suspicion: 'P3', open: 'P4' },
    low: { attack: 'P3', suspicion: 'P4', open: 'P4' },
    informational: { attack: 'P3', suspicion: 'P4', open: 'P4' },
  };
const TRAINING: Readonly<Record<Verdict, number>> = {
  true_positive: 40,
  suspicious: 25,
  unknown: 10,
  test: 5,
  benign: 5,
  false_positive: 5,
};
const TRAINING_SEVERITY: Readonly<Record<EventSeverity, number>> = {
  informational: 0,
  low: 0,
  medium: 5,
  high: 12,
  critical: 20,
};
const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  true_positive: 'An attack',
  suspicious: 'Suspicious',
  unknown: 'Not decided',
  test: 'Probably a test',
  benign: 'Probably expected activity',
  false_positive: 'Probably a false alarm',
};

/** Triages an event by rule: what it says, what it touches, and what became of events like it. */
export function triageByRules(input: TriageInput): TriageContent {
  const { event, similar } = input;
  const signals = signalsOf(input);
  const verdict = verdictOf(signals);
  const severity = severityOf(event.severity, verdict, signals);
  const training = trainingOf(verdict, severity, input, signals);
  return {
    verdict,
    priority: priorityOf(verdict, severity, signals),
    severity,
    confidence: confidenceOf(verdict, signals),
    summary: summaryOf(verdict, input, signals),
    rationale:
      signals.rationale.length > 0
        ? signals.rationale.slice(0, MOST_RATIONALE)
        : [{ text: 'Nothing in the event tells whether it is an attack.', evidence: [] }],
    techniques: signals.techniques.slice(0, MOST_TECHNIQUES),
    recommended_actions: actionsFor(verdict, input, signals),
    similar_events: [...new Set(similar.map(({ id }) => id))].slice(0, MOST_SIMILAR),
    training_value: training.value,
    training_reason: training.reason,
  };
}

function verdictOf({ cues, malice, alike }: Signals): Verdict {
  if (cues.has('test')) return 'test';
  const calm = cues.has('false_positive') ? 'false_positive' : cues.has('benign') ? 'benign' : null;
  if (calm) return malice >= ATTACK ? 'suspicious' : calm;
  const habit = alike.judged >= HABIT.judged && alike.false_positive >= HABIT.share;
  if (habit && malice < ATTACK) return 'false_positive';
  if (malice >= ATTACK) return 'true_positive';
  return malice >= SUSPICION ? 'suspicious' : 'unknown';
}

function severityOf(given: EventSeverity, verdict: Verdict, { cues, jewels }: Signals): EventSeverity {
  const at = EVENT_SEVERITIES.indexOf(given);
  if (verdict === 'false_positive' || verdict === 'benign' || verdict === 'test')
    return EVENT_SEVERITIES[Math.min(at, 1)] ?? given;
  const touched = jewels.some(({ criticality }) => criticality >= 4) && verdict === 'true_positive' ? 1 : 0;
  const stopped = cues.has('prevented') && !cues.has('succeeded') ? -1 : 0;
  const moved = Math.min(EVENT_SEVERITIES.length - 1, Math.max(0, at + touched + stopped));
  return EVENT_SEVERITIES[moved] ?? given;
}

/** An attacker can write "test" too: what looks like an attack is not put last for it. */
function priorityOf(verdict: Verdict, severity: EventSeverity, { malice }: Signals): Priority {
  if (verdict === 'true_positive') return PRIORITIES[severity].attack;
  if (verdict === 'suspicious') return PRIORITIES[severity].suspicion;
  if (verdict === 'unknown') return PRIORITIES[severity].open;
  return malice >= ATTACK ? 'P3' : 'P4';
}

function confidenceOf(verdict: Verdict, { malice, cues, alike }: Signals): number {
  const by: Readonly<Record<Verdict, number>> = {
    true_positive: 0.5 + 0.06 * malice,
    suspicious: 0.4 + 0.05 * malice,
    unknown: 0.3,
    test: malice >= ATTACK ? 0.55 : 0.8,
    benign: 0.65 + (alike.false_positive > 0.5 ? 0.15 : 0),
    false_positive: (cues.has('false_positive') ? 0.65 : 0.5) + 0.3 * alike.false_positive,
  };
  return Number(Math.min(0.95, by[verdict]).toFixed(2));
}

function trainingOf(
  verdict: Verdict,
  severity: EventSeverity,
  { similar }: TriageInput,
  { techniques, jewels }: Signals,
): { value: number; reason: string } {
  const familiar = similar.length >= 10;
  const value =
    TRAINING[verdict] +
    TRAINING_SEVERITY[severity] +
    Math.min(16, 4 * techniques.length) +
    (jewels.length > 0 ? 10 : 0) +
    (similar.length === 0 ? 6 : familiar ? -15 : 0);
  const reasons = [
    `${VERDICT_WORDS[verdict].toLowerCase()} of severity ${severity}`,
    techniques.length > 0
      ? `${counted(techniques.length, 'technique')} to talk through`
      : 'no technique to talk through',
    ...(jewels.length > 0
      ? [
          `it touches ${listed(
            jewels.map((jewel) => jewel.name),
            2,
          )}`,
        ]
      : []),
    similar.length === 0
      ? 'nothing like it came before'
      : `${counted(similar.length, 'event')} like it came before`,
  ];
  return {
    value: Math.min(100, Math.max(0, value)),
    reason: clipped(
      `${reasons.join('; ')}.`.replace(/^./, (first) => first.toUpperCase()),
      1000,
    ),
  };
}

function summaryOf(
  verdict: Verdict,
  { event, similar }: TriageInput,
  { rationale, techniques }: Signals,
): string {
  const where =
    event.assets.length > 0
      ? ` on ${listed(
          event.assets.map((one) => clipped(bare(one.name), 120)),
          3,
        )}`
      : '';
  const many = (event.occurrences ?? 1) > 1 ? ` (${event.occurrences} times)` : '';
  return clipped(
    paragraph([
      `${VERDICT_WORDS[verdict]}${where}: “${clipped(bare(event.title), 300)}”${many}`,
      rationale[0]?.text ?? 'Nothing in the event tells whether it is an attack',
      techniques.length > 0 ? `Techniques: ${listed(techniques, 6)}` : null,
      similar.length > 0 ? `${counted(similar.length, 'earlier event')} like it` : null,
    ]),
    4000,
  );
}
