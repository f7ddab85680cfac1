import { expect, test } from '@jest/globals';
import {
  type InjectResponse,
  response,
  type ScenarioContent,
  type Scores,
  scenarioContent,
} from '@muster/contracts';
import fc from 'fast-check';
import { scoreSession } from './scoring.rules.ts';

const ACTIONS = ['A1', 'A2', 'A3'];
const OBJECTIVES = ['O1', 'O2', 'O3'];
const capabilities = ['containment', 'containment', 'regulatory'];

const expectedAction = (id: string) =>
  fc.record({
    id: fc.constant(id),
    text: fc.constant(`Do ${id}`),
    weight: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.double({ min: 0.01, max: 10, noNaN: true })),
    critical: fc.boolean(),
    target_minutes: fc.option(fc.integer({ min: 1, max: 60 }), { nil: null }),
    keywords: fc.constant(id === 'A1' ? ['isolate host'] : []),
  });

/** Up to five injects; the condition of each is about an earlier one. */
const scenarios: fc.Arbitrary<ScenarioContent> = fc.integer({ min: 1, max: 5 }).chain((count) =>
  fc
    .tuple(
      ...Array.from({ length: count }, (_, index) =>
        fc.record({
          id: fc.constant(`I${index}`),
          offset_minutes: fc.integer({ min: 0, max: 60 }),
          objective_ids: fc.subarray(OBJECTIVES),
          expected_actions: fc.subarray(ACTIONS).chain((ids) => fc.tuple(...ids.map(expectedAction))),
          only_if:
            index === 0
              ? fc.constant(null)
              : fc.option(
                  fc.record({
                    inject_id: fc.integer({ min: 0, max: index - 1 }).map((earlier) => `I${earlier}`),
                    action_id: fc.constantFrom(...ACTIONS),
                    taken: fc.boolean(),
                  }),
                  { nil: null },
                ),
        }),
      ),
    )
    .map((injects) =>
      scenarioContent.parse({
        title: 'Any',
        summary: 'Any.',
        category: 'other',
        difficulty: 'advanced',
        duration_minutes: 60,
        audience: ['legal'],
        threat: {},
        roles: [{ id: 'lead', name: 'Lead' }],
        objectives: OBJECTIVES.map((id, index) => ({ id, title: id, capability: capabilities[index] })),
        injects: injects.map((inject) => ({ title: 'Any', description: 'Any.', channel: 'chat', ...inject })),
      }),
    ),
);
const responses: fc.Arbitrary<InjectResponse[]> = fc.array(
  fc
    .record({
      inject_id: fc.integer({ min: 0, max: 5 }).map((index) => `I${index}`),
      at_minutes: fc.option(fc.integer({ min: 0, max: 240 }), { nil: null }),
      actions: fc.subarray([...ACTIONS, 'A9']),
      decision: fc.constantFrom(
        '',
        'We isolated the hosts.',
        'We did not isolate the hosts.',
        'Hosts isolated at last.',
      ),
    })
    .map((draft) => response.parse(draft)),
  { maxLength: 8 },
);
const sessions = fc.record({ scenario: scenarios, responses });

const score = (scenario: ScenarioContent, given: InjectResponse[]): Scores =>
  scoreSession({
    session_id: '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f',
    scenario,
    responses: given,
    observations: [],
    computed_at: '2026-03-01T10:30:00.000Z',
  });

/** Every number a session is judged by, under a name; higher is better. */
function numbersOf(scores: Scores): Map<string, number> {
  const entries: [string, number | null][] = [
    ['overall', scores.overall],
    ['rating', -'PSMU'.indexOf(scores.rating)],
    ['level', scores.maturity_level],
    ...scores.capabilities.map((one): [string, number] => [one.capability, one.score]),
    ...scores.objectives.map((one): [string, number | null] => [one.id, one.score]),
    ...scores.injects.map((one): [string, number | null] => [one.id, one.score]),
  ];
  return new Map(entries.filter((entry): entry is [string, number] => entry[1] !== null));
}
const applied = (scores: Scores) => scores.injects.flatMap((one) => (one.applied ? [one.id] : []));

function expectNoLower(after: Scores, before: Scores): void {
  const numbers = numbersOf(after);
  for (const [name, value] of numbersOf(before))
    expect([name, (numbers.get(name) ?? -Infinity) >= value]).toEqual([name, true]);
}

test('every score is from 0 to 100, and actions are taken or missed, never both', () => {
  fc.assert(
    fc.property(sessions, ({ scenario, responses }) => {
      const scores = score(scenario, responses);
      for (const [name, value] of numbersOf(scores))
        if (name !== 'rating') expect(value >= 0 && value <= 100).toBe(true);
      for (const [index, inject] of scores.injects.entries()) {
        const expected = scenario.injects[index]?.expected_actions.map(({ id }) => id) ?? [];
        expect([...inject.taken, ...inject.missed].sort()).toEqual(inject.applied ? expected : []);
        expect(inject.taken).toEqual(expect.arrayContaining(inject.late));
      }
      const open = scores.injects.flatMap(({ missed, late }) => [...missed, ...late]);
      expect(scores.gaps).toHaveLength(open.length);
    }),
  );
});

test('one more listed action lowers nothing, as long as the same injects come up', () => {
  fc.assert(
    fc.property(sessions, fc.nat(), fc.constantFrom(...ACTIONS), ({ scenario, responses }, at, id) => {
      const chosen = responses[at % Math.max(1, responses.length)];
      fc.pre(chosen !== undefined);
      const more = responses.map((one) => (one === chosen ? { ...one, actions: [...one.actions, id] } : one));
      const [before, after] = [score(scenario, responses), score(scenario, more)];
      fc.pre(String(applied(before)) === String(applied(after)));
      expectNoLower(after, before);
    }),
  );
});

test('the same injects come up when the action is in no condition', () => {
  fc.assert(
    fc.property(sessions, fc.nat(), fc.constantFrom(...ACTIONS), ({ scenario, responses }, at, id) => {
      const chosen = responses[at % Math.max(1, responses.length)];
      const decides = ({ only_if }: ScenarioContent['injects'][number]) =>
        only_if?.inject_id === chosen?.inject_id && only_if?.action_id === id;
      fc.pre(chosen !== undefined && !scenario.injects.some(decides));
      const more = responses.map((one) => (one === chosen ? { ...one, actions: [...one.actions, id] } : one));
      expect(applied(score(scenario, more))).toEqual(applied(score(scenario, responses)));
    }),
  );
});

test('an action that brings up an unanswered inject may lower the mean', () => {
  const [base] = fc.sample(scenarios, { numRuns: 1, seed: 1 });
  const inject = base?.injects[0];
  if (!base || !inject) throw new Error('expected a scenario with an inject');
  const action = { id: 'A1', text: 'Do A1', weight: 1, critical: false, keywords: [] };
  const first = {
    ...inject,
    id: 'I0',
    only_if: null,
    expected_actions: [action, { ...action, id: 'A2', weight: 9 }],
  };
  const only_if = { inject_id: 'I0', action_id: 'A1', taken: true };
  const second = { ...first, id: 'I1', only_if };
  const scenario = { ...base, injects: [first, second] };
  const answer = (actions: string[]) => [response.parse({ inject_id: 'I0', actions })];
  expect(score(scenario, answer(['A2'])).overall).toBe(90);
  expect(score(scenario, answer(['A1', 'A2'])).overall).toBe(50);
});

test('the order of responses, and responses given twice, change nothing', () => {
  fc.assert(
    fc.property(
      sessions.chain(({ scenario, responses }) =>
        fc.record({
          scenario: fc.constant(scenario),
          responses: fc.constant(responses),
          shuffled: fc.shuffledSubarray([...responses, ...responses], { minLength: 2 * responses.length }),
        }),
      ),
      ({ scenario, responses, shuffled }) => {
        expect(score(scenario, shuffled)).toEqual(score(scenario, responses));
      },
    ),
  );
});

test('the same session has the same scores, and is left as it was', () => {
  fc.assert(
    fc.property(sessions, ({ scenario, responses }) => {
      const before = structuredClone({ scenario, responses });
      expect(score(scenario, responses)).toEqual(score(before.scenario, before.responses));
      expect({ scenario, responses }).toEqual(before);
    }),
  );
});

test('answering later raises nothing', () => {
  fc.assert(
    fc.property(
      sessions,
      fc.nat(),
      fc.integer({ min: 1, max: 90 }),
      ({ scenario, responses }, at, minutes) => {
        const chosen = responses[at % Math.max(1, responses.length)];
        const time = chosen?.at_minutes;
        fc.pre(time != null);
        const later = responses.map((one) => (one === chosen ? { ...one, at_minutes: time + minutes } : one));
        expectNoLower(score(scenario, responses), score(scenario, later));
      },
    ),
  );
});
