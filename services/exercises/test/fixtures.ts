import {
  type Client,
  type ScenarioContent,
  scenarioContent,
  type scenariosApi,
  type sessionsApi,
} from '@muster/contracts';

export type ScenarioUpload = NonNullable<
  Parameters<Client<typeof scenariosApi>['createScenario']>[0]
>['body'];
export type SessionInput = NonNullable<Parameters<Client<typeof sessionsApi>['createSession']>[0]>['body'];

/** A small scenario that is right in every reference. */
export function scenarioUpload(changes: Partial<ScenarioUpload> = {}): ScenarioUpload {
  return {
    title: 'Lost laptop',
    summary: 'A laptop with customer data is gone.',
    category: 'data_breach',
    difficulty: 'introductory',
    duration_minutes: 60,
    audience: ['technical', 'legal'],
    industries: ['retail'],
    tags: ['laptop'],
    threat: { actor: 'A thief', techniques: ['T1078'] },
    roles: [{ id: 'lead', name: 'Incident lead', responsibilities: 'Leads.' }],
    objectives: [
      {
        id: 'O1',
        title: 'Contain the loss',
        capability: 'containment',
        controls: [{ framework: 'nist-csf-2.0', control: 'RS.MI-01' }],
      },
      { id: 'O2', title: 'Inform who must know', capability: 'regulatory', controls: [] },
    ],
    injects: [
      {
        id: 'I1',
        offset_minutes: 0,
        title: 'The call',
        description: 'An employee reports a lost laptop.',
        from: 'Employee',
        to: ['lead'],
        channel: 'phone',
        objective_ids: ['O1'],
        techniques: ['T1078'],
        expected_actions: [
          {
            id: 'A1',
            text: 'Lock the account',
            weight: 2,
            critical: true,
            target_minutes: 10,
            keywords: ['lock account'],
          },
          { id: 'A2', text: 'Wipe the laptop', weight: 1, target_minutes: 30, keywords: ['wipe'] },
        ],
      },
      {
        id: 'I2',
        offset_minutes: 20,
        title: 'The question',
        description: 'Was the disk encrypted?',
        channel: 'email',
        objective_ids: ['O2'],
        expected_actions: [
          {
            id: 'A1',
            text: 'Ask the privacy officer',
            weight: 1,
            target_minutes: 20,
            keywords: ['privacy officer'],
          },
        ],
      },
    ],
    ...changes,
  };
}

/** A completed session of {@link scenarioUpload}'s scenario, with everything done on time. */
export function sessionInput(scenario: string, changes: Partial<SessionInput> = {}): SessionInput {
  return {
    scenario,
    title: 'At the table',
    status: 'completed',
    started_at: '2026-03-02T09:00:00Z',
    ended_at: '2026-03-02T10:00:00Z',
    participants: [{ name: 'Head of IT', role: 'lead', email: 'head.of.it@example.org' }],
    responses: [
      { inject_id: 'I1', at_minutes: 5, actions: ['A1'], decision: 'We wiped the laptop.' },
      { inject_id: 'I2', at_minutes: 30, decision: 'We called the privacy officer.' },
    ],
    ...changes,
  };
}

type Draft = Record<string, unknown>;

/** A scenario for the rules: these objectives and injects as they are drafted, the rest in the plainest way. */
export function draftScenario(objectives: Draft[], injects: Draft[]): ScenarioContent {
  return scenarioContent.parse({
    title: 'Lost laptop',
    summary: 'A laptop is gone.',
    category: 'data_breach',
    difficulty: 'introductory',
    duration_minutes: 60,
    audience: ['technical'],
    threat: {},
    roles: [{ id: 'lead', name: 'Lead' }],
    objectives,
    injects: injects.map((inject) => ({
      offset_minutes: 0,
      title: 'The call',
      description: 'A call.',
      channel: 'phone',
      ...inject,
    })),
  });
}
