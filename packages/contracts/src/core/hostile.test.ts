import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hostileParts } from './hostile.ts';

const codes = (body: unknown) => hostileParts(body).map(({ code }) => code);
const paths = (json: string) =>
  hostileParts(JSON.parse(json))
    .map(({ path }) => path)
    .toSorted();

describe('depth', () => {
  const lists = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
  const objects = (levels: number) => {
    let body: unknown = {};
    for (let level = 1; level < levels; level += 1) body = { a: body };
    return body;
  };

  test.each([
    ['lists', lists],
    ['objects', objects],
  ])('32 levels of %s are fine, 33 are not', (_what, nested) => {
    expect(hostileParts(nested(32))).toEqual([]);
    expect(codes(nested(33))).toEqual(['too_deep']);
  });

  test.each([
    ['lists', lists],
    ['objects', objects],
  ])('100 000 levels of %s are an answer, no overflow', (_what, nested) => {
    const [found] = hostileParts(nested(100_000));
    expect(found).toMatchObject({ code: 'too_deep' });
    expect(found?.path.length).toBeLessThan(210);
  });

  test('a value that holds itself, as YAML can say it, is too deep', () => {
    const body: unknown[] = [];
    body.push(body);
    expect(codes(body)).toEqual(['too_deep']);
  });
});

describe('size', () => {
  test('200 000 values at most, the body itself among them', () => {
    const many = (values: number) => Array.from({ length: values - 1 }, () => 0);
    expect(hostileParts(many(200_000))).toEqual([]);
    expect(codes(many(200_001))).toEqual(['too_many_values']);
  });

  test('50 findings at most, however many there are', () => {
    const bad = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`$${at}`, 0]));
    expect(hostileParts(bad)).toHaveLength(50);
    expect(hostileParts(Array.from({ length: 1000 }, () => ({ $a: 1 })))).toHaveLength(50);
  });

  test('as many findings as are wanted', () => {
    const bad = { $a: 1, $b: { $c: 1 } };
    expect(hostileParts(bad, { findings: 1 }).map(({ path }) => path)).toEqual(['/$a']);
  });

  test('a long name is shortened in what is said about it', () => {
    const [found] = hostileParts({ [`$${'a'.repeat(5000)}`]: 1 });
    expect(found?.path.length).toBeLessThan(210);
    expect(found?.message.length).toBeLessThan(260);
  });
});

describe('names', () => {
  test.each([
    ['{"__proto__":{"admin":true}}', ['/__proto__']],
    ['{"a":[{"b":1},{"constructor":{"prototype":1}}]}', ['/a/1/constructor', '/a/1/constructor/prototype']],
    ['{"$where":"1"}', ['/$where']],
    ['{"a":{"$gt":""}}', ['/a/$gt']],
    ['{"a.b":1}', ['/a.b']],
    ['{"a\\u0000":1}', ['/a\u0000']],
    ['{"a/b":{"~":{"$c":1}}}', ['/a~1b/~0/$c']],
    ['[[{"$a":1}],{"$b":2}]', ['/0/0/$a', '/1/$b']],
  ])('%s', (json, expected) => {
    expect(paths(json)).toEqual(expected);
    expect(codes(JSON.parse(json)).every((code) => code === 'forbidden_key')).toBe(true);
  });

  test.each([
    ['{"proto":1,"a$b":1,"toString":1,"":1,"hasOwnProperty":1,"0":1}'],
    ['["$where","__proto__","a.b"]'],
    ['"$where"'],
    ['null'],
    ['1'],
  ])('%s is fine', (json) => {
    expect(hostileParts(JSON.parse(json))).toEqual([]);
  });
});

test('dots belong to names where that is said', () => {
  const event = { 'source.ip': '192.0.2.1', $where: 1 };
  expect(hostileParts(event, { dots: true }).map(({ path }) => path)).toEqual(['/$where']);
});

const name = fc
  .string({ unit: 'grapheme' })
  .filter((key) => !/[.\0]|^\$|^(__proto__|constructor|prototype)$/.test(key));
const { harmless } = fc.letrec<{ harmless: unknown }>((tie) => ({
  harmless: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('harmless'), { maxLength: 4 }),
    fc.dictionary(name, tie('harmless'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe('laws', () => {
  test('nothing is found in what is harmless', () => {
    fc.assert(fc.property(harmless, (body) => expect(hostileParts(body)).toEqual([])));
  });

  test('a forbidden name is found wherever it hides, and its pointer leads there', () => {
    const forbidden = fc.constantFrom('__proto__', 'constructor', 'prototype', '$ne', 'a.b', '\0');
    const steps = fc.array(fc.oneof(name, fc.nat({ max: 3 })), { maxLength: 10 });
    fc.assert(
      fc.property(steps, forbidden, harmless, (way, bad, inside) => {
        let body: unknown = JSON.parse(`{${JSON.stringify(bad)}:${JSON.stringify(inside) ?? 'null'}}`);
        for (const step of way.toReversed())
          body = typeof step === 'number' ? [...Array(step).fill(0), body] : { [step]: body, other: 1 };
        const found = hostileParts(body);
        expect(found).toHaveLength(1);
        expect(follow(found[0]?.path ?? '')).toEqual([...way.map(String), bad]);
      }),
    );
  });

  /** The steps of a JSON pointer, RFC 6901 section 4. */
  const follow = (pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
});
