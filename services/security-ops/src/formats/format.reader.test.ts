import { describe, expect, test } from '@jest/globals';
import { EVENT_SEVERITIES, securityEventInput } from '@muster/contracts';
import fc from 'fast-check';
import { ECS, OCSF, read } from '../../test/samples.ts';
import { readEvent } from './format.reader.ts';

describe("an envelope of Splunk's", () => {
  test('gives what the event does not say', () => {
    const sent = {
      time: '1772357400.250',
      host: 'DC-01',
      source: 'udp:514',
      sourcetype: 'acme:edr',
      index: 'main',
      event: { title: 'x', severity: 'low' },
    };
    expect(read(sent)).toMatchObject({
      format: 'native',
      content: {
        title: 'x',
        severity: 'low',
        source: 'acme:edr',
        occurred_at: '2026-03-01T09:30:00.250Z',
        assets: [{ name: 'DC-01' }],
      },
    });
    expect(read({ ...sent, event: OCSF })).toMatchObject({
      format: 'ocsf',
      content: { source: 'XDR', external_id: 'finding-1' },
    });
    expect(read({ ...sent, event: 'CEF:0|A|B|1|2|Port scan|9|' })).toMatchObject({
      format: 'cef',
      content: { title: 'Port scan', severity: 'critical', source: 'A B' },
    });
    expect(read({ ...sent, event: 'Failed password for root\nfrom 203.0.113.9' })).toMatchObject({
      content: { title: 'Failed password for root' },
    });
  });

  test('is not taken for one where the format is said to be another', () => {
    const reading = readEvent(JSON.stringify({ time: 1, host: 'x', event: { title: 'x' } }), 'native');
    expect(reading).toMatchObject({
      problems: [{ path: '/title' }, { path: '/time' }, { path: '/host' }, { path: '/event' }],
    });
  });
});

describe('whatever the format', () => {
  test('what is too long is cut and what is too much left out, and what cannot be read is named', () => {
    const long = {
      ...ECS,
      rule: { name: 'é'.repeat(900) },
      user: { name: Array.from({ length: 300 }, (_, at) => `u${at}`) },
    };
    const { content } = read(long);
    expect(content.title.length).toBe(500);
    expect(content.users.length).toBe(100);
    expect(readEvent(JSON.stringify({ ...ECS, '@timestamp': 'yesterday' }))).toMatchObject({
      problems: [{ path: '/occurred_at' }],
    });
    expect(readEvent(JSON.stringify({ ...OCSF, time: 'x' }))).toMatchObject({
      problems: [{ path: '/occurred_at' }],
    });
    expect(readEvent('CEF:0|only|three')).toMatchObject({ problems: [{ code: 'malformed_cef' }] });
    expect(readEvent(JSON.stringify({ ...ECS, labels: { $set: 1 } }))).toMatchObject({
      problems: [{ path: '/labels/$set' }],
    });
    expect(readEvent(JSON.stringify({ ...ECS, message: 'x'.repeat(70_000) }))).toMatchObject({
      problems: [{ path: '/raw' }],
    });
  });

  test('anything at all is an event that fits the contract, or a problem', () => {
    const marks = fc.constantFrom(
      {},
      { class_uid: 2004, metadata: {} },
      { '@timestamp': '2026-03-01T09:30:00Z' },
      { type: 'a', sourceRef: 'b' },
      { event: {}, host: 'h' },
    );
    const names = fc.constantFrom(
      'title',
      'event',
      'host',
      'user',
      'threat',
      'finding_info',
      'observables',
      'severity',
      'time',
      'source',
      'tags',
      'rule',
      'message',
      'raw',
      'assets',
    );
    const fields = fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(marks, fields, (mark, given) => {
        const reading = readEvent(JSON.stringify({ ...given, ...mark }));
        if ('problems' in reading) expect(reading.problems.length).toBeGreaterThan(0);
        else expect(securityEventInput.safeParse(reading.event.content).success).toBe(true);
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('auto' as const, 'cef' as const, 'ecs' as const),
        (text, asked) => void readEvent(text, asked),
      ),
    );
  });

  test('what is wrong a thousand times is told ten times, in short', () => {
    const wrong = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [`${'x'.repeat(900)}${at}`, 1]),
    );
    const reading = readEvent(JSON.stringify({ title: 'x', ...wrong }));
    if (!('problems' in reading)) throw new Error('it was read');
    expect(reading.problems.length).toBe(10);
    expect(JSON.stringify(reading.problems).length).toBeLessThan(10_000);
  });

  test('a native event says again what was said', () => {
    for (const severity of EVENT_SEVERITIES) {
      const given = { title: 'x', severity, source: 's', external_id: '1', raw: { a: 1 } };
      expect(read(given)).toMatchObject({ format: 'native', raw: '{"a":1}', content: given });
    }
  });
});
