import { expect, test } from '@jest/globals';
import { read } from '../../test/samples.ts';

test('an alert of TheHive', () => {
  const alert = {
    type: 'phishing',
    source: 'mailbox',
    sourceRef: 'r-77',
    title: 'Reported mail',
    description: 'Asks for a password.',
    severity: 3,
    date: 1_772_357_400_000,
    tlp: 2,
    pap: 2,
    tags: ['attack.t1566.002', 'team:red', 'T9999'],
    observables: [
      { dataType: 'url', data: 'hxxps://login[.]example/a' },
      { dataType: 'mail', data: ['x@evil.example'] },
      { dataType: 'hostname', data: 'WS-1' },
      { dataType: 'ip', data: '192.168.1.4' },
      { dataType: 'filename', data: 'a.html' },
    ],
    procedures: [{ patternId: 'T1566', occurDate: 1 }],
  };
  expect(read(alert)).toMatchObject({
    format: 'thehive',
    content: {
      title: 'Reported mail',
      severity: 'high',
      source: 'mailbox',
      external_id: 'r-77',
      category: 'phishing',
      occurred_at: '2026-03-01T09:30:00.000Z',
      techniques: ['T1566', 'T1566.002'],
      assets: [{ name: 'WS-1', kind: 'host' }],
      indicators: ['hxxps://login[.]example/a', 'x@evil.example'],
    },
  });
});
