import { z } from 'zod';
import { engine } from '../../core/engine.ts';
import {
  EXAMPLE_ID,
  EXAMPLE_TIME,
  id,
  scenarioFilename,
  technique,
  timestamp,
} from '../../core/primitives.ts';
import { element, priority, sessionQuote } from '../evaluations/evaluation.schemas.ts';
import { gapExample, scoresExample } from '../examples.ts';
import { regulatoryClock } from '../regulatory/regulatory.schemas.ts';
import { AUDIENCES, CATEGORIES, capability, control, localId } from '../scenarios/scenario.schemas.ts';
import { capabilityScore, gap, rating } from '../scores/scores.schemas.ts';

const score = z.number().min(0).max(100);

const overview = z.object({
  session_id: id,
  title: z.string(),
  organization: z.string(),
  scenario: scenarioFilename,
  scenario_title: z.string(),
  category: z.enum(CATEGORIES),
  started_at: timestamp,
  ended_at: timestamp,
  /** IANA name: the calendar dates of the report are this zone's. */
  timezone: z.string(),
  /** How the exercise was run: conducted live, or written down afterwards. */
  conduct: z.enum(['live', 'recorded']),
  purpose: z.string(),
  scope: z.object({
    planned_minutes: z.int(),
    injects: z.int(),
    injects_played: z.int(),
    audience: z.array(z.enum(AUDIENCES)),
    industries: z.array(z.string()),
  }),
  threat: z.object({ actor: z.string(), techniques: z.array(technique) }),
  participants: z.array(z.object({ name: z.string(), role: z.string().nullable() })),
  /** Roles of the scenario that nobody at the table held. */
  roles_absent: z.array(z.string()),
});

const figures = z.object({
  overall: score,
  rating,
  maturity_level: z.int(),
  actions_expected: z.int(),
  actions_on_time: z.int(),
  actions_late: z.int(),
  actions_missed: z.int(),
  critical_missed: z.int(),
  gaps: z.int(),
});

const objectiveResult = z.object({
  id: localId,
  title: z.string(),
  capability,
  controls: z.array(control),
  score: score.nullable(),
  rating: rating.nullable(),
  rating_source: z.enum(['computed', 'observer']),
  /** What the evaluation says of it; null before there is one. */
  evaluated: z
    .object({ rating: rating.nullable(), rationale: z.string(), evidence: z.array(sessionQuote) })
    .nullable(),
  strengths: z.array(z.object({ text: z.string(), evidence: z.array(sessionQuote) })),
  improvements: z.array(gap.pick({ id: true, title: true, detail: true, severity: true })),
  observations: z.array(z.object({ rating: rating.nullable(), note: z.string(), observer: z.string() })),
});

const timelineEntry = z.object({
  inject_id: localId,
  title: z.string(),
  minute: z.number(),
  played: z.boolean(),
  decisions: z.array(
    z.object({
      minute: z.number().nullable(),
      role: z.string().nullable(),
      recorded_by: z.string().nullable(),
      late: z.boolean(),
      /** The first words of what was decided. */
      text: z.string(),
    }),
  ),
});

const correctiveAction = z.object({
  number: z.int(),
  title: z.string(),
  recommendation: z.string(),
  priority,
  element,
  owner_role: z.string(),
  /** The role's name in the scenario. */
  owner: z.string(),
  /** A calendar date of the organization's time zone. */
  due_on: z.iso.date(),
  gap_ids: z.array(z.string()),
  controls: z.array(control),
});

const topic = z.object({ capability, control: control.nullable() });

const sinceLast = z.object({
  session_id: id,
  title: z.string(),
  scenario_title: z.string(),
  ended_at: timestamp,
  overall: z.object({ before: score, after: score, change: z.number() }),
  /** Those that both exercises tried. */
  capabilities: z.array(z.object({ capability, before: score, after: score, change: z.number() })),
  gaps_closed: z.array(topic),
  gaps_new: z.array(topic),
  gaps_still_open: z.array(topic),
  gaps_not_tested: z.array(topic),
});

const containment = { capability: 'containment' as const };

export const report = z
  .object({
    overview,
    summary: z.string(),
    figures,
    /** Who wrote the evaluation that the words come from; null where there are numbers only. */
    evaluation: z.object({ engine, created_at: timestamp }).nullable(),
    objectives: z.array(objectiveResult),
    timeline: z.array(timelineEntry),
    capabilities: z.array(capabilityScore),
    regulatory: z.array(regulatoryClock),
    gaps: z.array(gap),
    improvement_plan: z.array(correctiveAction),
    since_last: sinceLast.nullable(),
    method: z.object({ name: z.string(), bands: z.object({ P: score, S: score, M: score }) }),
  })
  .meta({
    id: 'Report',
    example: {
      overview: {
        session_id: EXAMPLE_ID,
        title: 'Fourth quarter exercise',
        organization: 'Example Hospital',
        scenario: 'ransomware-first-hour.json',
        scenario_title: 'Ransomware: the first hour',
        category: 'ransomware',
        started_at: EXAMPLE_TIME,
        ended_at: '2026-03-01T10:30:00.000Z',
        timezone: 'Europe/Vienna',
        conduct: 'recorded',
        purpose: 'File servers stop answering; a note appears. Who decides what, and how fast?',
        scope: {
          planned_minutes: 60,
          injects: 1,
          injects_played: 1,
          audience: ['executive', 'technical'],
          industries: ['healthcare'],
        },
        threat: { actor: 'An affiliate of a ransomware service', techniques: ['T1486'] },
        participants: [{ name: 'Head of IT', role: 'Incident commander' }],
        roles_absent: [],
      },
      summary: 'The table took 1 of 2 expected actions and reached 75 of 100 (S).',
      figures: {
        overall: 75,
        rating: 'S',
        maturity_level: 4,
        actions_expected: 2,
        actions_on_time: 1,
        actions_late: 0,
        actions_missed: 1,
        critical_missed: 0,
        gaps: 1,
      },
      evaluation: { engine: { kind: 'rules', degraded: false }, created_at: EXAMPLE_TIME },
      objectives: [
        {
          id: 'O1',
          title: 'Contain the spread',
          ...containment,
          controls: gapExample.controls,
          score: 75,
          rating: 'S',
          rating_source: 'observer',
          evaluated: {
            rating: 'S',
            rationale: '1 of 2 expected actions, score 75.',
            evidence: [{ inject_id: 'I1', quote: 'We isolated both file servers.' }],
          },
          strengths: [{ text: 'Isolate the affected hosts (after 12 minutes)', evidence: [] }],
          improvements: [
            { id: gapExample.id, title: gapExample.title, detail: gapExample.detail, severity: 'low' },
          ],
          observations: [{ rating: 'S', note: 'Clear order, late call.', observer: 'Facilitator' }],
        },
      ],
      timeline: [
        {
          inject_id: 'I1',
          title: 'Encrypted shares',
          minute: 0,
          played: true,
          decisions: [
            {
              minute: 12,
              role: null,
              recorded_by: null,
              late: false,
              text: 'We isolated both file servers.',
            },
          ],
        },
      ],
      capabilities: scoresExample.capabilities,
      regulatory: [],
      gaps: [gapExample],
      improvement_plan: [
        {
          number: 1,
          title: 'Write down when the backup jobs are stopped, and by whom',
          recommendation: 'Add a step to the ransomware plan.',
          priority: 'P4',
          element: 'planning',
          owner_role: 'incident_commander',
          owner: 'Incident commander',
          due_on: '2026-08-28',
          gap_ids: [gapExample.id],
          controls: gapExample.controls,
        },
      ],
      since_last: {
        session_id: EXAMPLE_ID,
        title: 'Third quarter exercise',
        scenario_title: 'Ransomware: the first hour',
        ended_at: '2025-11-20T10:30:00.000Z',
        overall: { before: 62.5, after: 75, change: 12.5 },
        capabilities: [{ ...containment, before: 62.5, after: 75, change: 12.5 }],
        gaps_closed: [{ ...containment, control: { framework: 'nist-csf-2.0', control: 'RS.MI-02' } }],
        gaps_new: [],
        gaps_still_open: [],
        gaps_not_tested: [],
      },
      method: { name: 'muster-1', bands: { P: 80, S: 65, M: 50 } },
    },
  });
export type Report = z.output<typeof report>;
