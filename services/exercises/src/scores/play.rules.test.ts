import { describe, expect, test } from '@jest/globals';
import type { ExpectedAction, Inject, InjectResponse } from '@muster/contracts';
import { creditOf, playOf } from './play.rules.ts';

const action = (id: string, rest: Partial<ExpectedAction> = {}): ExpectedAction => ({
  id,
  text: id,
  weight: 1,
  critical: false,
  keywords: [],
  ...rest,
});
const inject = (id: string, rest: Partial<Inject> = {}): Inject => ({
  id,
  offset_minutes: 0,
  title: id,
  description: id,
  from: '',
  to: [],
  channel: 'phone',
  type: 'standard',
  objective_ids: [],
  techniques: [],
  expected_actions: [action('A1')],
  discussion_questions: [],
  facilitator_notes: '',
  ...rest,
});
const answer = (
  inject_id: string,
  at_minutes: number | null,
  actions: string[],
  decision = '',
): InjectResponse => ({
  inject_id,
  at_minutes,
  actions,
  decision,
  notes: '',
});
const onlyIf = (inject_id: string, taken: boolean) => ({ only_if: { inject_id, action_id: 'A1', taken } });
const applied = (injects: Inject[], responses: InjectResponse[]) =>
  playOf(injects, responses).flatMap((play) => (play.applied ? [play.inject.id] : []));

describe('credit', () => {
  test.each([
    [0, 10, 1],
    [10, 10, 1],
    [10.01, 10, 0.9995],
    [15, 10, 0.75],
    [20, 10, 0.5],
    [21, 10, 0.5],
    [9999, 10, 0.5],
    [9999, null, 1],
    [9999, undefined, 1],
    [null, 10, 1],
  ])('after %p minutes of %p it is %p', (minutes, target, credit) => {
    expect(creditOf(minutes, target)).toBeCloseTo(credit, 10);
  });
});

describe('time', () => {
  const timed = inject('I1', { offset_minutes: 10, expected_actions: [action('A1', { target_minutes: 5 })] });
  const playOfOne = (...responses: InjectResponse[]) => {
    const [play] = playOf([timed], responses);
    return { minutes: play?.minutes, timing: play?.timing, credit: play?.outcomes[0]?.credit };
  };

  test('is counted from the inject, and never below zero', () => {
    expect(playOfOne(answer('I1', 15, ['A1']))).toEqual({ minutes: 5, timing: 'known', credit: 1 });
    expect(playOfOne(answer('I1', 3, ['A1']))).toEqual({ minutes: 0, timing: 'known', credit: 1 });
  });

  test('without one the action is on time, and that is reported', () => {
    expect(playOfOne(answer('I1', null, ['A1']))).toEqual({ minutes: null, timing: 'unknown', credit: 1 });
  });

  test('the earliest response that shows the action times it, not the first of all', () => {
    const responses = [answer('I1', 30, ['A1']), answer('I1', 20, ['A1']), answer('I1', 11, [])];
    expect(playOfOne(...responses)).toEqual({ minutes: 1, timing: 'known', credit: 0.5 });
  });

  test('a response without a time that shows the action makes it on time, and its timing unknown', () => {
    const responses = [answer('I1', 30, ['A1']), answer('I1', null, ['A1'])];
    expect(playOfOne(...responses)).toEqual({ minutes: 20, timing: 'unknown', credit: 1 });
  });

  test('a note without a time that shows nothing leaves the timing known', () => {
    expect(playOfOne(answer('I1', 15, ['A1']), answer('I1', null, []))).toMatchObject({
      timing: 'known',
      credit: 1,
    });
  });

  test('is not spoilt by binary fractions', () => {
    const odd = inject('I1', {
      offset_minutes: 0.1,
      expected_actions: [action('A1', { target_minutes: 0.3 })],
    });
    expect(playOf([odd], [answer('I1', 0.4, ['A1'])])[0]).toMatchObject({
      minutes: 0.3,
      outcomes: [{ credit: 1 }],
    });
  });

  test('each action has its own', () => {
    const two = inject('I1', {
      expected_actions: [action('A1', { target_minutes: 10 }), action('A2', { target_minutes: 10 })],
    });
    const [play] = playOf([two], [answer('I1', 5, ['A1']), answer('I1', 15, ['A1', 'A2'])]);
    expect(play?.outcomes.map(({ credit, minutes }) => [credit, minutes])).toEqual([
      [1, 5],
      [0.75, 15],
    ]);
  });
});

describe('evidence', () => {
  const shown = inject('I1', { expected_actions: [action('A1', { keywords: ['isolate'] })] });

  test('is the earliest sentence that shows the action', () => {
    const responses = [answer('I1', 9, [], 'Hosts isolated.'), answer('I1', 4, [], 'We isolate. Isolated!')];
    expect(playOf([shown], responses)[0]?.outcomes[0]).toMatchObject({ quote: 'We isolate', minutes: 4 });
  });

  test('of the same minute is chosen by the alphabet, not by order', () => {
    const responses = [answer('I1', 4, [], 'Hosts isolated.'), answer('I1', 4, [], 'All isolated.')];
    for (const given of [responses, responses.toReversed()])
      expect(playOf([shown], given)[0]?.outcomes[0]?.quote).toBe('All isolated');
  });

  test('stands in a response to the same inject', () => {
    const plays = playOf([shown, inject('I2')], [answer('I2', 1, ['A9'], 'We isolated.')]);
    expect(plays.map(({ outcomes }) => outcomes[0]?.taken)).toEqual([false, false]);
  });

  test('is not needed where the id is listed', () => {
    const responses = [answer('I1', 9, ['A1']), answer('I1', 4, [], 'We isolated.')];
    expect(playOf([shown], responses)[0]?.outcomes[0]).toMatchObject({ quote: null, minutes: 4 });
  });
});

describe('only_if', () => {
  test('brings an inject up when the action was taken, or when it was not', () => {
    const injects = [inject('I1'), inject('I2', onlyIf('I1', true)), inject('I3', onlyIf('I1', false))];
    expect(applied(injects, [answer('I1', 1, ['A1'])])).toEqual(['I1', 'I2']);
    expect(applied(injects, [])).toEqual(['I1', 'I3']);
  });

  test('what the text shows decides too', () => {
    const first = inject('I1', { expected_actions: [action('A1', { keywords: ['isolate'] })] });
    expect(applied([first, inject('I2', onlyIf('I1', true))], [answer('I1', 1, [], 'We isolated.')])).toEqual(
      ['I1', 'I2'],
    );
  });

  test('the actions of an inject that did not come up were not taken, along a chain', () => {
    const chain = [
      inject('I1'),
      inject('I2', onlyIf('I1', true)),
      inject('I3', onlyIf('I2', true)),
      inject('I4', onlyIf('I2', false)),
    ];
    const answers = [answer('I2', 1, ['A1']), answer('I3', 1, ['A1'])];
    expect(applied(chain, answers)).toEqual(['I1', 'I4']);
    expect(applied(chain, [answer('I1', 1, ['A1']), ...answers])).toEqual(['I1', 'I2', 'I3']);
  });

  test('an inject that did not come up leaves no trace, even when answered', () => {
    const [, second] = playOf([inject('I1'), inject('I2', onlyIf('I1', true))], [answer('I2', 1, ['A1'])]);
    expect(second).toMatchObject({
      applied: false,
      answered: false,
      minutes: null,
      timing: 'unanswered',
      outcomes: [],
    });
  });

  test('an action that nobody knows was not taken', () => {
    const injects = [inject('I1'), inject('I2', onlyIf('I9', false)), inject('I3', onlyIf('I9', true))];
    expect(applied(injects, [answer('I1', 1, ['A1'])])).toEqual(['I1', 'I2']);
  });

  test('injects that wait for each other, or for one that does, never come up', () => {
    const circle = [
      inject('I1', onlyIf('I2', false)),
      inject('I2', onlyIf('I1', false)),
      inject('I3', onlyIf('I2', false)),
    ];
    expect(applied([...circle, inject('I4', onlyIf('I4', false))], [])).toEqual([]);
  });

  test('a chain of a hundred injects is followed to its end', () => {
    const chain = Array.from({ length: 100 }, (_, index) =>
      inject(`I${index}`, index > 0 ? onlyIf(`I${index - 1}`, true) : {}),
    );
    const answers = chain.map(({ id }) => answer(id, 1, ['A1']));
    expect(applied(chain, answers)).toHaveLength(100);
    expect(applied(chain, answers.slice(1))).toEqual(['I0']);
  });
});
