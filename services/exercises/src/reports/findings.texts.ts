import type { Report } from '@muster/contracts';
import {
  type Block,
  badge,
  blocks,
  chart,
  code,
  heading,
  type LanesChart,
  paragraph,
  type Run,
  strong,
  type Tone,
  table,
} from '@muster/documents';
import { ratingOf } from '../scores/bands.rules.ts';
import { severityBadge } from './rating.texts.ts';
import { capabilityName, counted, minuteMark } from './wording.texts.ts';

/** More marks than this make the chart unreadable: then each inject shows its first decision. */
const MOST_MARKS = 40;
/** What a reader is shown at once; the JSON form holds all. */
const MOST_DECISIONS = 12;
const MOST_GAPS = 150;

/** The capabilities that the scenario tried, with where the ratings start. */
export function capabilityChapter({ capabilities, method: { bands } }: Report): Block[] {
  if (capabilities.length === 0) return [];
  return blocks(
    heading(1, 'Capabilities'),
    chart({
      kind: 'bars',
      title: 'Score by capability',
      bands,
      rows: capabilities
        .toSorted((one, other) => other.score - one.score)
        .map(({ capability, score, actions_expected, actions_taken }) => ({
          label: `${capabilityName(capability)} (${actions_taken} of ${actions_expected})`,
          value: score,
          rating: ratingOf(score, bands),
        })),
    }),
    paragraph(
      `The scenario tried ${capabilities.length} of the twelve capabilities. Each score is the weighted share of the expected actions that were taken; late ones earn less.`,
    ),
  );
}

/** Injects against decisions, as a picture and as a table. */
export function timelineChapter({ timeline, overview }: Report): Block[] {
  const numbered = decisionsOf(timeline);
  return blocks(
    heading(1, 'Timeline'),
    chart(lanesOf(timeline, numbered, overview.scope.planned_minutes)),
    table({
      columns: [
        { title: 'Minute', width: 12 },
        { title: 'Inject', width: 30 },
        { title: 'What the table decided', width: 58 },
      ],
      rows: timeline.map(({ inject_id, title, minute, played, decisions }) => [
        minuteMark(minute),
        [strong(`${inject_id} `), title],
        played ? decisionRuns(decisions, numbered) : 'Did not come up: its condition was not met.',
      ]),
    }),
  );
}

type Entry = Report['timeline'][number];
type Decision = Entry['decisions'][number];
type Numbers = ReadonlyMap<Decision, string>;

function decisionsOf(timeline: readonly Entry[]): Numbers {
  const all = timeline.flatMap(({ decisions }) => decisions);
  return new Map(all.map((decision, at) => [decision, `D${at + 1}`]));
}

function decisionRuns(decisions: readonly Decision[], numbers: Numbers): (string | Run)[] {
  if (decisions.length === 0) return [badge('No answer', 'bad')];
  const shown = decisions.slice(0, MOST_DECISIONS).flatMap((decision, at) => {
    const { minute, role, late, text } = decision;
    const when = minute === null ? 'time not noted' : minuteMark(minute);
    return [
      ...(at > 0 ? ['\n'] : []),
      strong(`${numbers.get(decision) ?? ''} `),
      `${when}${role ? `, ${role}` : ''} `,
      ...(late ? [badge('Late', 'poor'), ' '] : []),
      text,
    ];
  });
  const more = decisions.length - MOST_DECISIONS;
  return more > 0 ? [...shown, `\nAnd ${counted(more, 'more decision')}.`] : shown;
}

function lanesOf(timeline: readonly Entry[], numbers: Numbers, minutes: number): LanesChart {
  const timed = timeline.flatMap(({ inject_id, decisions }) =>
    decisions.flatMap((decision) => {
      const { minute, late, text } = decision;
      if (minute === null) return [];
      return [{ id: numbers.get(decision) ?? '', minute, title: text, injectId: inject_id, late }];
    }),
  );
  const first = [...new Map(timed.toReversed().map((mark) => [mark.injectId, mark])).values()];
  return {
    kind: 'lanes',
    title: 'Injects and decisions',
    minutes,
    injects: timeline
      .filter(({ played }) => played)
      .map(({ inject_id, minute, title }) => ({ id: inject_id, minute, title })),
    decisions: timed.length > MOST_MARKS ? first.reverse() : timed,
  };
}

const CLOCK_TONES: Readonly<Record<Report['regulatory'][number]['status'], Tone>> = {
  met: 'good',
  missed: 'bad',
  not_reported: 'bad',
  running: 'neutral',
  not_started: 'neutral',
};

/** The reporting deadlines that the session started. */
export function deadlineChapter({ regulatory }: Report): Block[] {
  if (regulatory.length === 0) return [];
  return blocks(
    heading(1, 'Reporting deadlines'),
    paragraph(
      'Deadlines of the law that the scenario started, in hours of its story: GDPR article 33, NIS2 article 23, DORA article 19.',
    ),
    table({
      columns: [
        { title: 'Law', width: 12 },
        { title: 'Duty', width: 40 },
        { title: 'Deadline', align: 'right', width: 13 },
        { title: 'Result', width: 35 },
      ],
      rows: regulatory.map(({ regulation, title, limit_hours, status, text }) => [
        regulation.toUpperCase(),
        title,
        `${limit_hours} h`,
        [
          badge(
            status === 'met' ? 'Met' : status === 'not_started' ? 'Not started' : 'Missed',
            CLOCK_TONES[status],
          ),
          ` ${text}`,
        ],
      ]),
    }),
  );
}

/** Every missed or late action, the gravest first. */
export function gapChapter({ gaps }: Report): Block[] {
  if (gaps.length === 0)
    return [heading(1, 'Gaps'), paragraph('Every expected action was taken in time: there is no gap.')];
  const more = gaps.length - MOST_GAPS;
  return blocks(
    heading(1, 'Gaps'),
    table({
      columns: [
        { title: 'Severity', width: 13 },
        { title: 'Gap', width: 67 },
        { title: 'Capability', width: 20 },
      ],
      rows: gaps
        .slice(0, MOST_GAPS)
        .map(({ id, severity, title, detail, capability, controls }) => [
          [severityBadge(severity)],
          [
            strong(title),
            `. ${detail}\n`,
            code(id),
            controls.length > 0 ? `  ${controls.map(({ control }) => control).join(', ')}` : '',
          ],
          capabilityName(capability),
        ]),
    }),
    more > 0 && paragraph(`And ${counted(more, 'more gap')}, all less grave: the JSON form lists every one.`),
  );
}
