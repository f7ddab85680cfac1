import { expect, test } from '@jest/globals';
import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  deserialize,
  Long,
  MaxKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson';
import fc from 'fast-check';
import { fieldsOf, without } from './raw.ts';

const value = fc.oneof(
  fc.string(),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.array(fc.integer()),
  fc.dictionary(fc.string({ minLength: 1 }), fc.integer()),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => Long.fromBigInt(n)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => new Binary(bytes)),
  fc.constantFrom(
    new ObjectId(),
    Decimal128.fromString('1.5'),
    new Timestamp(5n),
    new BSONRegExp('^a', 'i'),
    new Code('f()', { a: 1 }),
    new MaxKey(),
  ),
);
const key = fc.string({ minLength: 1 }).filter((name) => !name.includes('\0') && !name.startsWith('__'));
const documents = fc.dictionary(key, value);

test('the top level of any document is seen as the decoder sees it', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const bytes = Buffer.from(serialize(document));
      const fields = fieldsOf(bytes);
      expect(fields.map(({ name }) => name)).toEqual(Object.keys(deserialize(bytes)));
      expect(fields.at(-1)?.end ?? 4).toBe(bytes.length - 1);
    }),
  );
});

test('leaving fields out gives the document that never had them', () => {
  fc.assert(
    fc.property(documents, fc.func(fc.boolean()), (document, drop) => {
      const bytes = Buffer.from(serialize(document));
      const left = Object.entries(document).filter(([name]) => !drop(name));
      expect(without(bytes, fieldsOf(bytes), drop)).toEqual(Buffer.from(serialize(Object.fromEntries(left))));
    }),
  );
});

test('bytes that are no document are refused', () => {
  const bytes = Buffer.from(serialize({ text: 'abc', n: 1 }));
  for (const size of [0, 3, 5, bytes.length - 1]) expect(() => fieldsOf(bytes.subarray(0, size))).toThrow();
  const tooLong = Buffer.from(bytes);
  tooLong.writeInt32LE(1_000, tooLong.indexOf('text') + 5);
  expect(() => fieldsOf(tooLong)).toThrow('does not fit');
});

test('damaged documents are refused or read, but never read for ever', () => {
  fc.assert(
    fc.property(documents, fc.array(fc.tuple(fc.nat(), fc.nat(255))), (document, damages) => {
      const bytes = Buffer.from(serialize(document));
      for (const [at, byte] of damages) bytes[4 + (at % bytes.length)] = byte;
      try {
        expect(fieldsOf(bytes).length).toBeLessThan(bytes.length);
      } catch (error) {
        expect((error as Error).name).toBe('RangeError');
      }
    }),
  );
});
