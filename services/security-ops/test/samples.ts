import { type ReadEvent, readEvent } from '../src/formats/format.reader.ts';

/** An event as it was understood; raises what is wrong with one that was not. */
export function read(item: unknown, asked?: Parameters<typeof readEvent>[1]): ReadEvent {
  const reading = readEvent(typeof item === 'string' ? item : JSON.stringify(item), asked);
  if ('problems' in reading) throw new Error(JSON.stringify(reading.problems));
  return reading.event;
}

/** A detection finding of OCSF 1.5. */
export const OCSF = {
  activity_id: 1,
  category_uid: 2,
  class_uid: 2004,
  class_name: 'Detection Finding',
  type_uid: 200401,
  time: 1_772_357_400_000,
  severity_id: 5,
  status_id: 1,
  metadata: { version: '1.5.0', product: { name: 'XDR', vendor_name: 'Acme' }, uid: 'log-9' },
  finding_info: {
    uid: 'finding-1',
    title: 'Credential dumping',
    desc: 'LSASS memory was read.',
    types: ['TTPs'],
    attacks: [
      { tactics: [{ uid: 'TA0006' }], technique: { uid: 'T1003' }, sub_technique: { uid: 'T1003.001' } },
      { technique: { uid: 'T1078' } },
    ],
  },
  device: { hostname: 'DC-01', ip: '10.0.0.7' },
  evidences: [{ actor: { user: { name: 'a.meier' } }, process: { name: 'x.exe' } }],
  observables: [
    { name: 'device.hostname', type_id: 1, value: 'DC-02' },
    { name: 'src_endpoint.ip', type_id: 2, value: '203.0.113.9' },
    { name: 'dst_endpoint.ip', type_id: 2, value: '10.0.0.7' },
    { name: 'file.hash', type_id: 8, value: 'D41D8CD98F00B204E9800998ECF8427E' },
  ],
};

/** An alert in the Elastic Common Schema, with nested keys. */
export const ECS = {
  '@timestamp': '2026-03-01T09:30:00.000Z',
  ecs: { version: '8.17.0' },
  event: { kind: 'alert', category: ['malware'], severity: 73, id: 'ev-1', module: 'endpoint' },
  rule: { name: 'Credential dumping' },
  message: 'LSASS memory was read',
  host: { name: 'DC-01' },
  user: { name: 'a.meier' },
  threat: { technique: { id: ['T1003'], subtechnique: { id: ['T1003.001'] } } },
  source: { ip: '203.0.113.9' },
  destination: { ip: '10.0.0.7' },
};
