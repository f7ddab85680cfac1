import { expect, test } from '@jest/globals';
import type { Inject, InjectResponse } from '@muster/contracts';
import { regulatoryClocks } from './regulatory.rules.ts';

const action = (id: string, more: object = {}) => ({
  id,
  text: id,
  weight: 1,
  critical: false,
  keywords: [],
  ...more,
});
const inject = (id: string, offset_minutes: number, more: Partial<Inject> = {}): Inject => ({
  id,
  offset_minutes,
  title: id,
  description: id,
  from: '',
  to: [],
  channel: 'phone',
  type: 'standard',
  objective_ids: [],
  techniques: [],
  expected_actions: [],
  discussion_questions: [],
  facilitator_notes: '',
  ...more,
});
const response = (inject_id: string, at_minutes: number, actions: string[] = []): InjectResponse => ({
  inject_id,
  at_minutes,
  actions,
  decision: '',
  notes: '',
});
const clocksOf = (injects: Inject[], responses: InjectResponse[], now_minutes: number | null = null) =>
  Object.fromEntries(
    regulatoryClocks({ scenario: { injects }, responses, now_minutes }).map((row) => [row.clock, row]),
  );

const breach = inject('I1', 10, {
  regulatory: ['gdpr', 'nis2'],
  story_hours: 2,
  expected_actions: [action('A1', { reports: ['nis2-24h'] })],
});

test('a session that no law looks at has no clocks', () => {
  expect(clocksOf([inject('I1', 0)], [response('I1', 1)])).toEqual({});
});

test('a report in time says what was left, in hours of the story', () => {
  const { 'nis2-24h': warning } = clocksOf([breach], [response('I1', 40, ['A1'])]);
  expect(warning).toMatchObject({
    status: 'met',
    elapsed_hours: 0.5,
    margin_hours: 23.5,
    text: 'met with 23 h 30 to spare',
    started_by: { inject_id: 'I1', action_id: null },
    reported_by: { inject_id: 'I1', action_id: 'A1' },
  });
});

test('"the next days" bring the hours with them, and a report after the limit was missed by so much', () => {
  const later = inject('I2', 30, {
    story_hours: 77,
    expected_actions: [action('A2', { reports: ['gdpr-72h'] })],
  });
  const { 'gdpr-72h': authority } = clocksOf(
    [breach, later],
    [response('I1', 12), response('I2', 40, ['A2'])],
  );
  expect(authority).toMatchObject({ status: 'missed', elapsed_hours: 75.167, text: 'missed by 3 h 10' });
});

test('what was never reported says so once the session is over, and runs while it is not', () => {
  expect(clocksOf([breach], [response('I1', 12)])['gdpr-72h']).toMatchObject({ status: 'not_reported' });
  expect(clocksOf([breach], [response('I1', 12)], 70)['gdpr-72h']).toMatchObject({
    status: 'running',
    text: '71 h left',
  });
});

test('an inject that has not come yet starts nothing', () => {
  expect(clocksOf([breach], [], 5)).toEqual({});
});

test('a contingency inject that did not apply starts nothing', () => {
  const only_if = { inject_id: 'I1', action_id: 'A1', taken: true };
  const next = inject('I2', 20, { regulatory: ['dora'], only_if });
  expect(clocksOf([breach, next], [response('I1', 12)])).not.toHaveProperty(['dora-4h']);
});

test('DORA waits for the classification, and its intermediate report for the initial notification', () => {
  const outage = inject('I1', 0, {
    regulatory: ['dora'],
    expected_actions: [
      action('classify', { classifies: true }),
      action('notify', { reports: ['dora-4h'] }),
      action('follow', { reports: ['dora-72h'] }),
    ],
  });
  expect(clocksOf([outage], [response('I1', 5)])['dora-4h']).toMatchObject({
    status: 'not_started',
    text: 'not started: the incident was never classified',
  });
  const clocks = clocksOf([outage], [response('I1', 30, ['classify']), response('I1', 90, ['notify'])]);
  expect(clocks['dora-4h']).toMatchObject({ status: 'met', elapsed_hours: 1 });
  expect(clocks['dora-72h']).toMatchObject({
    status: 'not_reported',
    started_by: { inject_id: 'I1', action_id: 'notify' },
  });
});
