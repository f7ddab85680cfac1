import type { Report } from '@muster/contracts';
import {
  type Block,
  badge,
  blocks,
  bullets,
  callout,
  definitions,
  type Figure,
  figures,
  heading,
  lead,
  pageBreak,
  paragraph,
  strong,
  type Tone,
  table,
} from '@muster/documents';
import { ratingInWords } from './rating.texts.ts';
import { capabilityName, clipped, counted, dayInWords, inWords, signed } from './wording.texts.ts';

const MOST_POINTS = 3;
const MOST_STRENGTHS = 2;
const LONGEST_POINT = 120;

/** What a board member reads in a minute: how it went, what was good, what has to be decided. */
export function summaryChapter(report: Report): Block[] {
  const { summary, figures: numbers, evaluation } = report;
  const headline = `${inWords(ratingInWords(numbers.rating))}: ${numbers.overall} of 100 points, maturity level ${numbers.maturity_level} of 5.`;
  return blocks(
    heading(1, 'Executive summary'),
    figures(...keyFigures(report)),
    lead(headline),
    paragraph(summary),
    !evaluation &&
      callout(
        'info',
        'Nobody has evaluated this session yet. This report holds the scores and what follows from them; the improvement plan comes with the evaluation.',
        'Numbers only',
      ),
    evaluation?.engine.degraded && callout('info', evaluation.engine.reason ?? '', 'Evaluated by rule'),
    criticalNotice(report),
    points(report),
    pageBreak(),
  );
}

/** Four, so that they stand in one row. */
function keyFigures({ figures: numbers, since_last, regulatory }: Report): Figure[] {
  const done = numbers.actions_on_time;
  const started = regulatory.filter(({ status }) => status !== 'not_started');
  const met = started.filter(({ status }) => status === 'met').length;
  return [
    {
      label: 'Points of 100',
      value: String(numbers.overall),
      ...(since_last && {
        change: {
          text: `${signed(since_last.overall.change)} since last time`,
          tone: toneOf(since_last.overall.change),
        },
      }),
    },
    { label: 'Rating', value: numbers.rating },
    { label: 'Actions on time', value: `${done} of ${numbers.actions_expected}` },
    started.length > 0
      ? { label: 'Reporting deadlines met', value: `${met} of ${started.length}` }
      : { label: 'Maturity level', value: `${numbers.maturity_level} of 5` },
  ];
}

const toneOf = (change: number): Tone => (change > 0 ? 'good' : change < 0 ? 'bad' : 'neutral');

function points({ objectives, improvement_plan }: Report): Block[] {
  const strengths = [...new Set(objectives.flatMap((one) => one.strengths.map(({ text }) => text)))];
  return blocks(
    improvement_plan.length > 0 && [
      heading(3, 'What comes first'),
      bullets(
        improvement_plan
          .slice(0, MOST_POINTS)
          .map(({ priority, title, owner, due_on }) => [
            badge(priority, priority === 'P1' ? 'bad' : 'neutral'),
            ` ${clipped(title, LONGEST_POINT)}: ${owner}, by ${dayInWords(new Date(due_on), 'UTC')}`,
          ]),
      ),
    ],
    strengths.length > 0 && [
      heading(3, 'What went well'),
      bullets(strengths.slice(0, MOST_STRENGTHS).map((text) => brief(text))),
    ],
  );
}

/** Without the response times, which are told objective by objective, and cut between its parts if it can be. */
function brief(text: string): string {
  const whole = text.replaceAll(/ \(after [^()]*\)/g, '');
  if (whole.length <= LONGEST_POINT) return whole;
  const part = whole.lastIndexOf('; ', LONGEST_POINT);
  return part > 0 ? `${whole.slice(0, part)} …` : clipped(whole, LONGEST_POINT);
}

function criticalNotice({ gaps, regulatory }: Report): Block | null {
  const critical = gaps.filter(({ severity }) => severity === 'critical').map(({ title }) => title);
  const late = regulatory.filter(({ status }) => status === 'missed' || status === 'not_reported');
  const more = critical.length - MOST_POINTS;
  const lines = [
    ...critical.slice(0, MOST_POINTS).map((title) => clipped(title, LONGEST_POINT)),
    ...(more > 0 ? [`And ${counted(more, 'more critical gap')}`] : []),
    ...(late.length > 0 ? [`${counted(late.length, 'reporting deadline')} of the law not kept`] : []),
  ];
  if (lines.length === 0) return null;
  return callout('critical', [bullets(lines)], 'Would have done harm in a real incident');
}

/** What was exercised, by whom, and why: HSEEP's exercise overview. */
export function overviewChapter({ overview, objectives }: Report): Block[] {
  const { scope, threat, participants, roles_absent } = overview;
  const audience = scope.audience.map(inWords).join(', ');
  const minutes = Math.round(
    (new Date(overview.ended_at).getTime() - new Date(overview.started_at).getTime()) / 60_000,
  );
  return blocks(
    heading(1, 'Exercise overview'),
    definitions([
      ['Exercise name', overview.title],
      ['Type', 'Discussion-based tabletop exercise'],
      ['Purpose and scenario', overview.purpose],
      [
        'Scope',
        `${scope.injects_played} of ${counted(scope.injects, 'inject')} came up in ${counted(minutes, 'minute')} (planned: ${scope.planned_minutes}); ${overview.conduct === 'live' ? 'conducted live' : 'recorded afterwards'}. Audience: ${audience}.${scope.industries.length > 0 ? ` Industries: ${scope.industries.map(inWords).join(', ')}.` : ''}`,
      ],
      [
        'Threat',
        `${inWords(overview.category)}${threat.actor ? `: ${threat.actor}` : ''}${threat.techniques.length > 0 ? `. MITRE ATT&CK: ${threat.techniques.join(', ')}` : ''}`,
      ],
    ]),
    heading(2, 'Objectives'),
    table({
      columns: [
        { title: 'Objective', width: 55 },
        { title: 'Capability', width: 20 },
        { title: 'Controls', width: 25 },
      ],
      rows: objectives.map(({ id, title, capability, controls }) => [
        [strong(`${id} `), title],
        capabilityName(capability),
        controls.map(({ control }) => control).join(', '),
      ]),
    }),
    heading(2, 'Participants'),
    participants.length > 0
      ? table({
          columns: ['Name', 'Role in the exercise'],
          rows: participants.map(({ name, role }) => [name, role ?? 'No role noted']),
        })
      : paragraph('Nobody was noted as a participant.'),
    participants.length > 0 &&
      roles_absent.length > 0 &&
      callout('warn', `Nobody at the table held: ${roles_absent.join(', ')}.`, 'Roles without a holder'),
  );
}
