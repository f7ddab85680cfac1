import type { Client, operationsApi } from '@muster/contracts';

export type OperationBody = NonNullable<
  Parameters<Client<typeof operationsApi>['createOperation']>[0]
>['body'];

/** An operation of four techniques: one prevented, one detected after 12 minutes, one missed, one not run. */
export function operationBody(changes: Partial<OperationBody> = {}): OperationBody {
  return {
    name: 'Ransomware rehearsal',
    objective: 'Is the first foothold seen?',
    techniques: [
      {
        technique: 'T1486',
        red: { executed_at: '2026-03-01T09:00:00Z', outcome: 'blocked' },
        blue: { prevented: true },
      },
      {
        technique: 'T1566.001',
        red: { executed_at: '2026-03-01T09:30:00Z' },
        blue: { detected: true, detected_at: '2026-03-01T09:42:00Z', source: 'Mail gateway' },
      },
      { technique: 'T1059.001', red: { executed_at: '2026-03-01T10:00:00Z' } },
      { technique: 'T1003' },
    ],
    ...changes,
  };
}

/** A log as a runner of atomic tests writes it: a known, a revoked and an unknown technique. */
export function attireLog(
  executionId: string,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  const step = (start: string, more: object = {}) => ({
    order: 1,
    executor: 'command_prompt',
    command: 'ipconfig /all',
    'time-start': start,
    'time-stop': '2026-03-01T09:05:00.000Z',
    'exit-code': 0,
    output: [{ content: 'Windows IP Configuration', level: 'STDOUT', type: 'console' }],
    ...more,
  });
  return {
    'attire-version': '1.1',
    'execution-data': {
      'execution-id': executionId,
      'execution-source': 'Atomic runner',
      'execution-command': 'run all',
      target: { host: 'WS-042', ip: '192.0.2.42', user: 'tester', path: 'C:\\Windows' },
      'time-generated': '2026-03-01T09:00:00.000Z',
    },
    procedures: [
      {
        'procedure-name': 'Hide a file',
        'mitre-technique-id': 'T1002',
        order: 2,
        steps: [step('2026-03-01T09:04:00', { 'exit-code': 1 })],
      },
      {
        'procedure-name': 'Network configuration',
        'mitre-technique-id': 'T1016',
        order: 1,
        steps: [step('2026-03-01T10:01:00.1234567+01:00'), step('9999-12-31T00:00:00Z')],
      },
      { 'procedure-name': 'Unheard of', 'mitre-technique-id': 'T9999', order: 3, steps: [] },
    ],
    ...changes,
  };
}
