/** One exercise at a table, as the documents show it. */
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
      ],
      discussion_questions: ['Who may order a server off the network?'],
      facilitator_notes: 'Ask how they know which hosts are affected.',
    },
  ],
} as const;

export const sessionExample = {
  scenario: scenarioExample.filename,
  title: 'Fourth quarter exercise',
  status: 'completed',
  started_at: '2026-03-01T09:30:00.000Z',
  ended_at: '2026-03-01T10:30:00.000Z',
  participants: [{ name: 'Head of IT', role: 'incident_commander' }],
  responses: [
    { inject_id: 'I1', at_minutes: 12, actions: ['A1'], decision: 'We isolated both file servers.' },
  ],
  observations: [
    { objective_id: 'O1', rating: 'S', note: 'Clear order, late call.', observer: 'Facilitator' },
  ],
} as const;
