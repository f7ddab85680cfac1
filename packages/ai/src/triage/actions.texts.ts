import type { Verdict } from '@muster/contracts';
import { bare, clipped, counted, listed } from '../prose/prose.ts';
import { techniqueOf } from '../techniques/techniques.rules.ts';
import { indicatorValue, type SecurityEvent, type TriageInput } from './event.ts';
import type { Signals } from './signals.rules.ts';

const MOST_TECHNIQUES = 4;
const LONGEST = 1000;
const LONGEST_NAME = 120;

/** What to do next, naming what the event names: at most a handful of steps, the most urgent first. */
export function actionsFor(verdict: Verdict, { event, similar }: TriageInput, signals: Signals): string[] {
  const steps = STEPS[verdict](event, signals, similar);
  const together =
    similar.length > 0 && (verdict === 'true_positive' || verdict === 'suspicious')
      ? [
          `Handle it together with ${counted(similar.length, 'similar event')}, the nearest being “${name(similar[0]?.title ?? '')}”.`,
        ]
      : [];
  return [...new Set([...steps, ...together])].map((step) => clipped(step, LONGEST));
}

type Steps = (event: SecurityEvent, signals: Signals, similar: TriageInput['similar']) => string[];

const STEPS: Readonly<Record<Verdict, Steps>> = {
  true_positive: (event, signals) => [...containment(event, signals), ...handling(event, signals)],
  suspicious: (event, signals) => [
    `Find out within the hour whether ${whose(event)} knows of it; treat silence as no.`,
    ...containment(event, signals).slice(0, 2),
    ...handling(event, signals),
  ],
  unknown: (event) => [
    `Ask ${whose(event)} whether this was expected.`,
    `Look at what else ${source(event)} saw of ${asset(event)} in the day before.`,
  ],
  test: (event, signals) => [
    'Confirm with whoever announced the test that this is part of it; until then it is not closed.',
    ...(signals.malice > 3 ? containment(event, signals).slice(0, 1) : []),
    `Note whether ${source(event)} saw it in time: it is a result of the test.`,
  ],
  benign: (event) => [
    `Confirm with ${whose(event)} and note the change or the approval in this event.`,
    `Agree with ${source(event)} how such a change is announced, so that it raises no alert.`,
  ],
  false_positive: (event, _signals, similar) => [
    `Tune the rule “${name(event.title)}” of ${source(event)}${
      similar.length > 0 ? `: ${counted(similar.length, 'event')} like it came before` : ''
    }.`,
    'Write down why it is false, so that the next one is judged in a minute.',
  ],
};

/** What stops the techniques seen, those furthest along first. */
function containment(event: SecurityEvent, { techniques }: Signals): string[] {
  const known = new Set(techniques.toReversed().flatMap((id) => techniqueOf(id) ?? []));
  const steps = [...known]
    .slice(0, MOST_TECHNIQUES)
    .map(({ contain }) => contain.replaceAll('{asset}', asset(event)).replaceAll('{user}', user(event)));
  return steps.length > 0 ? steps : [`Isolate ${asset(event)} and keep it running for the investigation.`];
}

function handling(event: SecurityEvent, { jewels }: Signals): string[] {
  const indicators = event.indicators.map((one) => name(indicatorValue(one))).filter((value) => value !== '');
  return [
    `Keep the logs and a memory image of ${asset(event)}, from a day before the event on.`,
    ...(indicators.length > 0 ? [`Search all systems for ${listed(indicators, 3)}.`] : []),
    ...jewels.map(({ name: jewel, owner_role }) =>
      owner_role
        ? `Tell ${owner_role}, who owns ${jewel}, what is affected and when the next report comes.`
        : `Name an owner for ${jewel} and tell that person what is affected.`,
    ),
  ];
}

const name = (text: string) => clipped(bare(text), LONGEST_NAME);
const source = ({ source: from }: SecurityEvent) => (from ? name(from) : 'monitoring');

function asset({ assets }: SecurityEvent): string {
  return assets.length > 0
    ? listed(
        assets.map((one) => name(one.name)),
        3,
      )
    : 'the system concerned';
}

function user({ users }: SecurityEvent): string {
  return users.length > 0 ? listed(users.map(name), 3) : 'the accounts concerned';
}

function whose(event: SecurityEvent): string {
  if (event.users.length > 0) return user(event);
  return event.assets.length > 0 ? `the owner of ${asset(event)}` : 'the owner of the system';
}
