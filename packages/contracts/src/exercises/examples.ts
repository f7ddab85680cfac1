import { EXAMPLE_ID, EXAMPLE_TIME } from '../core/primitives.ts';

// One exercise at a table and what came of it, as the documents show it: the scores are those that the method gives.

export const scenarioExample = {
  filename: 'ransomware-first-hour.json',
  title: 'Ransomware: the first hour',
  summary: 'File servers stop answering; a note appears. Who decides what, and how fast?',
  category: 'ransomware',
  difficulty: 'introductory',
  duration_minutes: 60,
  audience: ['executive', 'technical'],
  industries: ['healthcare'],
  tags: ['ransomware'],
  threat: { actor: 'An affiliate of a ransomware service', techniques: ['T1486'] },
  roles: [{ id: 'incident_commander', name: 'Incident commander', responsibilities: 'Leads the response.' }],
  objectives: [
    {
      id: 'O1',
      title: 'Contain the spread',
      capability: 'containment',
      controls: [{ framework: 'nist-csf-2.0', control: 'RS.MI-01' }],
    },
  ],
  injects: [
    {
      id: 'I1',
      offset_minutes: 0,
      title: 'Encrypted shares',
      description: 'The service desk reports files with a strange ending on two servers.',
      from: 'Service desk',
      to: ['incident_commander'],
      channel: 'phone',
      type: 'standard',
      objective_ids: ['O1'],
      techniques: ['T1486'],
      expected_actions: [
        {
          id: 'A1',
          text: 'Isolate the affected hosts',
          weight: 3,
          critical: true,
          target_minutes: 15,
          keywords: ['isolate', 'contain host'],
        },
        {
          id: 'A2',
          text: 'Stop the backup jobs before they copy encrypted files',
          weight: 1,
          critical: false,
          target_minutes: 30,
          keywords: ['stop backup', 'pause backup'],
        },
      ],
      discussion_questions: ['Who may order a server off the network?'],
      facilitator_notes: 'Ask how they know which hosts are affected.',
    },
  ],
} as const;

const STORED = {
  schema_version: 1,
  content_hash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
} as const;

export const storedScenarioExample = {
  ...scenarioExample,
  ...STORED,
  source: 'upload',
  created_by: 'Head of IT',
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
} as const;

const { filename, title, summary, category, difficulty, duration_minutes } = scenarioExample;
const { source, updated_at } = storedScenarioExample;

export const scenarioSummaryExample = {
  filename,
  title,
  summary,
  category,
  difficulty,
  duration_minutes,
  source,
  updated_at,
  injects: 1,
  objectives: 1,
  techniques: ['T1486'],
} as const;

export const sessionExample = {
  scenario: filename,
  title: 'Fourth quarter exercise',
  status: 'completed',
  started_at: EXAMPLE_TIME,
  ended_at: '2026-03-01T10:30:00.000Z',
  participants: [{ name: 'Head of IT', role: 'incident_commander' }],
  responses: [
    { inject_id: 'I1', at_minutes: 12, actions: ['A1'], decision: 'We isolated both file servers.' },
  ],
  observations: [
    { objective_id: 'O1', rating: 'S', note: 'Clear order, late call.', observer: 'Facilitator' },
  ],
} as const;

export const gapExample = {
  id: 'I1:A2',
  capability: 'containment',
  severity: 'low',
  title: 'Missed: Stop the backup jobs before they copy encrypted files',
  detail: 'No response to “Encrypted shares” shows it: an action expected within 30 minutes.',
  inject_id: 'I1',
  action_id: 'A2',
  objective_id: 'O1',
  controls: [{ framework: 'nist-csf-2.0', control: 'RS.MI-01' }],
  techniques: ['T1486'],
  reason: 'missed',
} as const;

export const scoresExample = {
  session_id: EXAMPLE_ID,
  method: 'muster-1',
  overall: 75,
  rating: 'S',
  maturity_level: 4,
  capabilities: [{ capability: 'containment', score: 75, weight: 4, actions_expected: 2, actions_taken: 1 }],
  objectives: [{ id: 'O1', title: 'Contain the spread', score: 75, rating: 'S', rating_source: 'observer' }],
  injects: [
    {
      id: 'I1',
      applied: true,
      score: 75,
      taken: ['A1'],
      missed: ['A2'],
      minutes: 12,
      timing: 'known',
      late: [],
      evidence: [],
    },
  ],
  strengths: [
    { capability: 'containment', title: 'Isolate the affected hosts (after 12 minutes)', inject_id: 'I1' },
  ],
  gaps: [gapExample],
  regulatory: [],
  computed_at: '2026-03-01T10:30:00.000Z',
} as const;

const { overall, rating, maturity_level } = scoresExample;
const { participants, responses, observations, ...sessionFacts } = sessionExample;

export const sessionSummaryExample = {
  ...sessionFacts,
  id: EXAMPLE_ID,
  scenario_title: title,
  participants_count: 1,
  scores: { overall, rating, maturity_level, gaps: 1 },
  created_by: 'Head of IT',
  created_at: EXAMPLE_TIME,
  updated_at: sessionExample.ended_at,
  version: 2,
} as const;

export const storedSessionExample = {
  ...sessionSummaryExample,
  participants,
  responses: responses.map((response) => ({ ...response, notes: '' })),
  observations,
  scenario_snapshot: { ...scenarioExample, ...STORED },
} as const;

export const dashboardExample = {
  scores: {
    overall,
    rating,
    maturity_level,
    by_capability: [{ capability: 'containment', score: 75, sessions: 1 }],
    change: 12.5,
  },
  counts: {
    scenarios: 16,
    sessions: 1,
    participants: 1,
    open_gaps: 1,
    facts: 0,
    connectors: 0,
    intel_items: 0,
    events_open: 0,
    operations: 0,
    members: 4,
    playbooks: 0,
  },
  trends: [{ period: '2026-02-23', sessions: 1, overall, maturity_level }],
  recent_sessions: [
    {
      id: EXAMPLE_ID,
      scenario: filename,
      scenario_title: title,
      title: sessionExample.title,
      ended_at: sessionExample.ended_at,
      overall,
      rating,
      maturity_level,
    },
  ],
  top_gaps: [{ ...gapExample, session_id: EXAMPLE_ID, scenario: filename }],
  as_of: '2026-03-01T10:30:01.000Z',
} as const;
