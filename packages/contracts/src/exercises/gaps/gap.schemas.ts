import { z } from 'zod';
import {
  EXAMPLE_ID,
  EXAMPLE_TIME,
  id,
  scenarioFilename,
  technique,
  text,
  timestamp,
} from '../../core/primitives.ts';
import { capability, control } from '../scenarios/scenario.schemas.ts';
import { GAP_SEVERITIES, gap, rating } from '../scores/scores.schemas.ts';

export const GAP_STATUSES = ['open', 'retest_due', 'closed'] as const;

const severity = z.enum(GAP_SEVERITIES);

/** What one session found of it. */
const finding = gap
  .pick({ title: true, detail: true, severity: true, reason: true, inject_id: true, action_id: true })
  .extend({ session_id: id, scenario: scenarioFilename, at: timestamp });

const findingExample = {
  title: 'Missed: Isolate the affected hosts',
  detail: 'No response to “Encrypted shares” shows it: a critical action expected within 15 minutes.',
  severity: 'critical' as const,
  reason: 'missed' as const,
  inject_id: 'I1',
  action_id: 'A1',
  session_id: EXAMPLE_ID,
  scenario: 'ransomware-first-hour.json',
  at: EXAMPLE_TIME,
};

/** A weakness of the organization, known by its capability and control, from the session that showed it to the one that proved it gone. */
export const trackedGap = z
  .object({
    id: z.string(),
    capability,
    control: control.nullable(),
    title: z.string(),
    severity,
    status: z.enum(GAP_STATUSES),
    rating,
    opened_at: timestamp,
    last_seen_at: timestamp,
    retest_due_at: timestamp.nullable(),
    closed_at: timestamp.nullable(),
    closed_by_session_id: id.nullable(),
    /** From opening to the session that proved it closed. */
    days_to_proof: z.number().nullable(),
    days_open: z.number(),
    /** How often it came back after it was closed. */
    relapses: z.int(),
    /** Sessions that showed it. */
    occurrences: z.int(),
    techniques: z.array(technique),
    findings: z.array(finding),
    owner_role: z.string().nullable(),
    corrective_action: z.string().nullable(),
    corrected_at: timestamp.nullable(),
    version: z.int(),
  })
  .meta({
    id: 'TrackedGap',
    example: {
      id: EXAMPLE_ID,
      capability: 'containment',
      control: { framework: 'nist-csf-2.0', control: 'RS.MI-01' },
      title: findingExample.title,
      severity: 'critical',
      status: 'open',
      rating: 'U',
      opened_at: EXAMPLE_TIME,
      last_seen_at: EXAMPLE_TIME,
      retest_due_at: '2026-03-31T09:30:00.000Z',
      closed_at: null,
      closed_by_session_id: null,
      days_to_proof: null,
      days_open: 3,
      relapses: 0,
      occurrences: 1,
      techniques: ['T1486'],
      findings: [findingExample],
      owner_role: 'Head of IT operations',
      corrective_action: null,
      corrected_at: null,
      version: 1,
    },
  });
export type TrackedGap = z.output<typeof trackedGap>;

export const gapChange = z
  .strictObject({
    owner_role: text(120).nullable(),
    corrective_action: text(2000).nullable(),
    /** True once the corrective action is done: the re-test is due from now on. */
    corrected: z.boolean(),
    retest_due_at: timestamp,
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'expected at least one field')
  .meta({
    id: 'GapChange',
    example: {
      owner_role: 'Head of IT operations',
      corrective_action: 'Rehearse isolation',
      corrected: true,
    },
  });

export const gapSummary = z
  .object({
    open: z.int(),
    retest_due: z.int(),
    closed: z.int(),
    mean_days_to_proof: z.number().nullable(),
    /** Share of the gaps that were ever closed and came back, 0..1. */
    relapse_rate: z.number().nullable(),
  })
  .meta({
    id: 'GapSummary',
    example: { open: 7, retest_due: 2, closed: 11, mean_days_to_proof: 48.5, relapse_rate: 0.18 },
  });
