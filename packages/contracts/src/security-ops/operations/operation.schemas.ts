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
import { problem } from '../../core/problem.ts';

/** In the order in which an operation goes through them. */
export const OPERATION_STATUSES = ['planned', 'running', 'completed'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

/** How the blue side did on a technique, the best first. */
export const TECHNIQUE_RESULTS = ['prevented', 'detected', 'logged', 'missed', 'not_run'] as const;
export type TechniqueResult = (typeof TECHNIQUE_RESULTS)[number];

export const OPERATION_LIMITS = {
  techniques: 500,
  importedLogs: 100,
  importBytes: 10 * 1024 * 1024,
} as const;

const notes = z.string().trim().max(8000).default('');
const red = z.strictObject({
  executed_at: timestamp.nullable().default(null),
  /** What came of it, in the attackers' words, such as `succeeded`. */
  outcome: text(200).nullable().default(null),
  notes,
});
const blue = z.strictObject({
  detected: z.boolean().default(false),
  detected_at: timestamp.nullable().default(null),
  prevented: z.boolean().default(false),
  /** What saw it: a product or a log. With it, and without a detection, the technique counts as logged. */
  source: text(200).nullable().default(null),
  notes,
});

const techniqueInput = z.strictObject({
  technique,
  red: red.prefault({}),
  blue: blue.prefault({}),
  /** Left out, it follows from what red and blue say. */
  result: z.enum(TECHNIQUE_RESULTS).optional(),
  name: z.unknown().optional(),
});
export type TechniqueInput = z.output<typeof techniqueInput>;

const described = {
  name: text(200),
  objective: z.string().trim().max(4000).default(''),
  status: z.enum(OPERATION_STATUSES).default('planned'),
  scenario: scenarioFilename.nullable().default(null),
  session_id: id.nullable().default(null),
  started_at: timestamp.nullable().default(null),
  ended_at: timestamp.nullable().default(null),
};
const techniquesExample = [
  {
    technique: 'T1566.001',
    red: { executed_at: EXAMPLE_TIME, outcome: 'succeeded', notes: 'Macro opened by two of ten.' },
    blue: {
      detected: true,
      detected_at: '2026-03-01T09:42:00.000Z',
      prevented: false,
      source: 'Mail gateway',
      notes: '',
    },
  },
];
const describedExample = {
  name: 'Ransomware rehearsal',
  objective: 'Is the first foothold seen within a quarter of an hour?',
  status: 'completed' as const,
  scenario: 'ransomware-hospital.json',
  session_id: null,
  started_at: EXAMPLE_TIME,
  ended_at: '2026-03-01T12:00:00.000Z',
};

/** An operation as it is written; what only the server sets is taken and ignored, so that what was read can be sent back. */
export const operationInput = z
  .strictObject({
    ...described,
    techniques: z.array(techniqueInput).max(OPERATION_LIMITS.techniques).default([]),
    id: z.unknown().optional(),
    metrics: z.unknown().optional(),
    imported: z.unknown().optional(),
    created_by: z.unknown().optional(),
    created_at: z.unknown().optional(),
    updated_at: z.unknown().optional(),
    version: z.unknown().optional(),
  })
  .meta({ id: 'OperationInput', example: { ...describedExample, techniques: techniquesExample } });
export type OperationInput = z.output<typeof operationInput>;

export const operationMetrics = z.object({
  executed: z.int().min(0),
  prevented: z.int().min(0),
  /** Seen and alerted on, whether or not it was also prevented. */
  detected: z.int().min(0),
  /** Shares of what was executed, 0..1; null where nothing was. */
  detection_rate: z.number().min(0).max(1).nullable(),
  prevention_rate: z.number().min(0).max(1).nullable(),
  mean_minutes_to_detect: z.number().min(0).nullable(),
});
export type OperationMetrics = z.output<typeof operationMetrics>;

export const metricsExample = {
  executed: 1,
  prevented: 0,
  detected: 1,
  detection_rate: 1,
  prevention_rate: 0,
  mean_minutes_to_detect: 12,
};

const testedTechnique = z.object({
  technique,
  name: z.string(),
  red,
  blue,
  result: z.enum(TECHNIQUE_RESULTS),
});
export type TestedTechnique = z.output<typeof testedTechnique>;

/** Where an imported operation comes from, and what of its log could not be taken. */
const imported = z.object({
  format: z.literal('attire'),
  execution_id: z.string(),
  execution_source: z.string().nullable(),
  target: z.string().nullable(),
  skipped: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
});
export type Imported = z.output<typeof imported>;

const kept = {
  metrics: operationMetrics,
  imported: imported.nullable(),
  created_by: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  version: z.int(),
};
const keptExample = {
  metrics: metricsExample,
  imported: null,
  created_by: 'Head of IT',
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  version: 1,
};

/** An operation as lists show it. */
export const operationSummary = z.object({ id, ...described, techniques_count: z.int(), ...kept }).meta({
  id: 'OperationSummary',
  example: { id: EXAMPLE_ID, ...describedExample, techniques_count: 1, ...keptExample },
});
export type OperationSummary = z.output<typeof operationSummary>;

export const operation = z.object({ id, ...described, techniques: z.array(testedTechnique), ...kept }).meta({
  id: 'Operation',
  example: {
    id: EXAMPLE_ID,
    ...describedExample,
    techniques: techniquesExample.map((one) => ({
      ...one,
      name: 'Spearphishing Attachment',
      result: 'detected' as const,
    })),
    ...keptExample,
  },
});
export type Operation = z.output<typeof operation>;

/** What became of a file of several logs. What is rejected is named by its place, from 0; all else is stored. */
export const operationImportResult = z
  .object({
    imported: z.int().min(0),
    known: z.int().min(0),
    rejected: z.array(z.object({ index: z.int().min(0), errors: problem.shape.errors.unwrap() })),
    /** Those imported and those known, in their order. */
    operations: z.array(operationSummary),
  })
  .meta({
    id: 'OperationImportResult',
    example: {
      imported: 1,
      known: 0,
      rejected: [
        { index: 1, errors: [{ path: '/procedures', code: 'invalid_type', message: 'expected an array' }] },
      ],
      operations: [operationSummary.meta()?.example],
    },
  });
export type OperationImportResult = z.output<typeof operationImportResult>;

const loose = z.record(z.string(), z.unknown());

/** One ATTiRe log as it is written, or several. Each is checked by itself. */
export const importedLogs = z.union([loose, z.array(loose).min(1).max(OPERATION_LIMITS.importedLogs)]).meta({
  id: 'AttireLogs',
  example: {
    'attire-version': '1.1',
    'execution-data': {
      'execution-id': '8f1d2c7e',
      'execution-source': 'Atomic Red Team',
      target: { host: 'WS-042', user: 'tester' },
    },
    procedures: [
      {
        'procedure-name': 'System network configuration discovery',
        'mitre-technique-id': 'T1016',
        order: 1,
        steps: [
          {
            order: 1,
            command: 'ipconfig /all',
            executor: 'command_prompt',
            'time-start': '2026-03-01T09:30:00.000Z',
            'time-stop': '2026-03-01T09:30:01.000Z',
            'exit-code': 0,
            output: [],
          },
        ],
      },
    ],
  },
});
