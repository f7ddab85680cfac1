import { describe, expect, test } from '@jest/globals';
import { AppError } from '@muster/service-kit';
import fc from 'fast-check';
import { arrayItems, firstByte, hasSeveral, lines, objects } from './delivery.reader.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

describe('the items of an array', () => {
  test('are its members, however it is written', () => {
    const indent = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        indent,
        fc.constantFrom('', ' ', '\n'),
        (members, space, around) => {
          const text = `${around}${JSON.stringify(members, null, space)}${around}`;
          const items = [...arrayItems(bytes(text))];
          expect(items.map(({ index }) => index)).toEqual(members.map((_, at) => at));
          expect(items.map((item) => JSON.parse(item.text ?? ''))).toEqual(
            JSON.parse(JSON.stringify(members)),
          );
        },
      ),
    );
  });

  test('of what is no array, or half of one, end in an error', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(), (members, cut) => {
        const whole = bytes(JSON.stringify(members));
        const half = whole.subarray(0, cut % whole.length);
        expect(() => [...arrayItems(half)]).toThrow(AppError);
      }),
    );
  });

  test('of any bytes come to an end', () => {
    const anything = fc.uint8Array({ maxLength: 200 });
    const hostile = fc.stringMatching(/^[[\]{},"\\ a]{0,40}$/).map(bytes);
    fc.assert(
      fc.property(fc.oneof(anything, hostile), (given) => {
        try {
          expect([...arrayItems(given)].length).toBeLessThanOrEqual(given.length);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
    const began = performance.now();
    expect(() => [...arrayItems(bytes(`["${'\\'.repeat(1_000_000)}`))]).toThrow(AppError);
    expect(() => [...arrayItems(bytes(`[${'"\\"'.repeat(300_000)}`))]).toThrow(AppError);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

test('objects that follow on each other are told apart, however they are parted', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  const gap = fc.constantFrom('', '\n', ' \r\n');
  fc.assert(
    fc.property(fc.array(object, { minLength: 1 }), gap, (members, between) => {
      const body = bytes(members.map((member) => JSON.stringify(member)).join(between));
      const read = [...objects(body)].map(({ text }) => JSON.parse(text ?? ''));
      expect(read).toEqual(JSON.parse(JSON.stringify(members)));
      expect(hasSeveral(body)).toBe(members.length > 1);
      expect(() => [...objects(body.subarray(0, -1))]).toThrow(AppError);
    }),
  );
});

test('lines are those that hold something, each with its place', () => {
  const word = fc.stringMatching(/^[a-zé{}]{1,8}$/);
  fc.assert(
    fc.property(fc.array(word), fc.constantFrom('\n', '\r\n', '\n\n', '\n \n'), (words, gap) => {
      const read = [...lines(bytes(words.join(gap)))];
      expect(read).toEqual(words.map((text, index) => ({ index, text })));
    }),
  );
  const broken = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xff, 0x0a]), Buffer.from('b')]);
  expect([...lines(new Uint8Array(broken))].map(({ text }) => text)).toEqual(['a', null, 'b']);
});

test('the first byte is the first that is no space', () => {
  expect(firstByte(bytes(' \r\n\t[1]'))).toBe(0x5b);
  expect(firstByte(bytes(' \n'))).toBeUndefined();
});
