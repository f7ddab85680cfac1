import { z } from 'zod';
import { localId, REGULATIONS, REPORTS } from '../scenarios/scenario.schemas.ts';

/** Where a clock's time starts to run: when the incident is known, when it is classified, or at the report before. */
type Start = 'awareness' | 'classification' | 'initial_notification';

interface Clock {
  regulation: (typeof REGULATIONS)[number];
  hours: number;
  from: Start;
  title: string;
}

/**
 * The reporting deadlines a session keeps: Regulation (EU) 2016/679 article 33(1); Directive (EU) 2022/2555 article
 * 23(4)(a) and (b); Delegated Regulation (EU) 2025/301 article 5, under Regulation (EU) 2022/2554 article 19.
 */
export const CLOCKS = {
  'gdpr-72h': {
    regulation: 'gdpr',
    hours: 72,
    from: 'awareness',
    title: 'Notify the data protection authority',
  },
  'nis2-24h': { regulation: 'nis2', hours: 24, from: 'awareness', title: 'Early warning to the CSIRT' },
  'nis2-72h': {
    regulation: 'nis2',
    hours: 72,
    from: 'awareness',
    title: 'Incident notification to the CSIRT',
  },
  'dora-4h': {
    regulation: 'dora',
    hours: 4,
    from: 'classification',
    title: 'Initial notification to the competent authority',
  },
  'dora-72h': {
    regulation: 'dora',
    hours: 72,
    from: 'initial_notification',
    title: 'Intermediate report to the competent authority',
  },
} as const satisfies Record<(typeof REPORTS)[number], Clock>;
export type ClockName = keyof typeof CLOCKS;

const hours = z.number().nullable();

/** How one reporting deadline stood, in hours of the story. */
export const regulatoryClock = z.object({
  clock: z.enum(REPORTS),
  regulation: z.enum(REGULATIONS),
  title: z.string(),
  limit_hours: z.number(),
  status: z.enum(['met', 'missed', 'running', 'not_reported', 'not_started']),
  started_by: z.object({ inject_id: localId, action_id: localId.nullable() }).nullable(),
  reported_by: z.object({ inject_id: localId, action_id: localId }).nullable(),
  /** From the start to the report; while running, to now. */
  elapsed_hours: hours,
  /** What was left; negative for what it was missed by. */
  margin_hours: hours,
  /** In words: "missed by 3 h 10". */
  text: z.string(),
});
export type RegulatoryClock = z.output<typeof regulatoryClock>;
