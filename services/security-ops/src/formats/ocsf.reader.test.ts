import { describe, expect, test } from '@jest/globals';
import { OCSF, read } from '../../test/samples.ts';

describe('OCSF', () => {
  test('a detection finding', () => {
    expect(read(OCSF)).toMatchObject({
      format: 'ocsf',
      raw: JSON.stringify(OCSF),
      content: {
        title: 'Credential dumping',
        description: 'LSASS memory was read.',
        severity: 'critical',
        status: 'new',
        source: 'XDR',
        external_id: 'finding-1',
        category: 'TTPs',
        occurred_at: '2026-03-01T09:30:00.000Z',
        techniques: ['T1003.001', 'T1078'],
        assets: [{ name: 'DC-01' }, { name: 'DC-02' }],
        users: ['a.meier'],
        indicators: ['203.0.113.9', 'D41D8CD98F00B204E9800998ECF8427E'],
      },
    });
  });

  test('an incident finding has several, and a status of its own', () => {
    const { finding_info, ...rest } = OCSF;
    const incident = {
      ...rest,
      class_uid: 2005,
      status_id: 3,
      finding_info_list: [finding_info, { attacks: [{ technique: { uid: 'T1486' } }] }],
    };
    expect(read(incident).content).toMatchObject({
      title: 'Credential dumping',
      status: 'in_progress',
      techniques: ['T1003.001', 'T1078', 'T1486'],
    });
  });

  test('any other class says what it is', () => {
    const { finding_info: _, ...rest } = OCSF;
    const other = {
      ...rest,
      class_uid: 3002,
      class_name: 'Authentication',
      message: 'Sign-in from two places',
    };
    expect(read(other).content).toMatchObject({
      title: 'Sign-in from two places',
      external_id: 'log-9',
      category: 'Authentication',
    });
  });

  test.each([
    [0, 'medium'],
    [1, 'informational'],
    [2, 'low'],
    [3, 'medium'],
    [4, 'high'],
    [5, 'critical'],
    [6, 'critical'],
  ])('severity_id %i is %s', (severity_id, severity) => {
    expect(read({ ...OCSF, severity_id }).content.severity).toBe(severity);
  });
  test('severity_id 99 says it in a word', () => {
    expect(read({ ...OCSF, severity_id: 99, severity: 'Low' }).content.severity).toBe('low');
  });
});
