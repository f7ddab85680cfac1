import { describe, expect, test } from '@jest/globals';
import { ECS, read } from '../../test/samples.ts';

const dotted = (value: object, prefix = ''): Record<string, unknown> =>
  Object.assign(
    {},
    ...Object.entries(value).map(([key, inner]) =>
      typeof inner === 'object' && !Array.isArray(inner)
        ? dotted(inner, `${prefix}${key}.`)
        : { [`${prefix}${key}`]: inner },
    ),
  );

describe('ECS', () => {
  test('nested and dotted keys say the same', () => {
    const { content } = read(ECS);
    expect(content).toMatchObject({
      title: 'Credential dumping',
      description: 'LSASS memory was read',
      severity: 'high',
      source: 'endpoint',
      external_id: 'ev-1',
      category: 'malware',
      techniques: ['T1003', 'T1003.001'],
      assets: [{ name: 'DC-01', kind: 'host' }],
      users: ['a.meier'],
      indicators: ['203.0.113.9'],
    });
    expect(read(dotted(ECS))).toMatchObject({ format: 'ecs', content });
    const { event, ...rest } = ECS;
    expect(read({ ...rest, ...dotted({ event }) }).content).toEqual(content);
  });

  test('an alert of a detection rule', () => {
    const alert = {
      '@timestamp': '2026-03-01T09:30:00Z',
      'kibana.alert.uuid': 'k-1',
      'kibana.alert.severity': 'critical',
      'kibana.alert.workflow_status': 'acknowledged',
      'kibana.alert.reason': 'process event on DC-01',
      'kibana.alert.rule.name': 'LSASS access',
      'kibana.alert.rule.threat': [
        {
          framework: 'MITRE ATT&CK',
          technique: [{ id: 'T1003', subtechnique: [{ id: 'T1003.001' }] }, { id: 'T1078' }],
        },
      ],
      'kibana.alert.risk_score': 21,
    };
    expect(read(alert).content).toMatchObject({
      title: 'LSASS access',
      external_id: 'k-1',
      severity: 'critical',
      status: 'in_progress',
      techniques: ['T1003.001', 'T1078'],
    });
  });

  test.each([
    [21, 'low'],
    [47, 'medium'],
    [73, 'high'],
    [99, 'critical'],
    [0, 'informational'],
    [2, 'low'],
    [5, 'medium'],
    [8, 'critical'],
    [7, 'high'],
    ['high', 'high'],
    ['', 'medium'],
    [null, 'medium'],
    [undefined, 'medium'],
  ])('event.severity %p is %s', (severity, expected) => {
    expect(read({ ...ECS, event: { ...ECS.event, severity } }).content.severity).toBe(expected);
  });
});
