import { describe, expect, test } from '@jest/globals';
import { growthOf } from '@muster/testing';
import { pattern } from '../src/events/identity.rules.ts';
import { wordsOf } from '../src/events/word.rules.ts';
import { readEvent } from '../src/formats/format.reader.ts';
import { indicatorsIn, refanged } from '../src/formats/indicator.rules.ts';

// What repeats in an event must not make reading it slower than its length does.

const UNITS = [
  'a-',
  'a.',
  'a=',
  '\\|',
  ' ',
  '\t',
  '1.',
  '[.]',
  'a[',
  'http://',
  'T1059 ',
  'a@',
  '()',
  '=',
  'ä',
  '#1-',
  '|',
];
/** One is linear, four is squared. */
const MOST_GROWTH = 2;
const filled = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length));

describe.each(UNITS)('events full of %j', (unit) => {
  test.each([
    ['a line of CEF', (text: string) => `CEF:0|v|p|1|100|name|5|msg=${text}`],
    ['a header of CEF', (text: string) => `CEF:0|${text}|p|1|100|name|5|msg=x`],
    ['a native event', (text: string) => JSON.stringify({ title: 'x', description: text, raw: { text } })],
    [
      'an event of ECS',
      (text: string) => JSON.stringify({ '@timestamp': '2026-03-01T09:30:00Z', message: text }),
    ],
    [
      'a finding of OCSF',
      (text: string) =>
        JSON.stringify({
          class_uid: 2004,
          metadata: {},
          message: text,
          finding_info: { title: text, desc: text },
        }),
    ],
    [
      'an alert of TheHive',
      (text: string) =>
        JSON.stringify({
          type: 'a',
          sourceRef: text,
          title: text,
          tags: [text],
          observables: [{ dataType: 'ip', data: text }],
        }),
    ],
  ])('%s', (_name, eventOf) => {
    expect(growthOf((length) => void readEvent(eventOf(filled(unit, length))), 60_000)).toBeLessThan(
      MOST_GROWTH,
    );
  });

  test('what is made of its texts', () => {
    const made = (length: number) => {
      const text = filled(unit, length);
      return [pattern(text), wordsOf(text), indicatorsIn(text), refanged(text)];
    };
    expect(growthOf((length) => void made(length), 60_000)).toBeLessThan(MOST_GROWTH);
  });
});

test('an event that is longer than any can be is refused before it is read', () => {
  const reading = readEvent(JSON.stringify({ title: 'x'.repeat(2_000_000) }));
  expect(reading).toMatchObject({ problems: [{ code: 'too_large' }] });
});
