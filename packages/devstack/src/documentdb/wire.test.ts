import { expect, test } from '@jest/globals';
import { deserialize, serialize } from 'bson';
import fc from 'fast-check';
import { cut, expected, parse, reply } from './wire.ts';

const int = (n: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(n);
  return bytes;
};
const framed = (op: number, body: Buffer): Buffer =>
  Buffer.concat([int(16 + body.length), int(7), int(0), int(op), body]);
const command = Buffer.from(serialize({ insert: 'rows', $db: 'test' }));
const documents = [{ a: 1 }, { b: 'two' }].map((document) => Buffer.from(serialize(document)));

function message(flags: number, ...sections: Buffer[]): Buffer {
  return framed(2013, Buffer.concat([int(flags), ...sections]));
}
const kind0 = Buffer.concat([Buffer.from([0]), command]);
const sequence = Buffer.concat([Buffer.from('documents\0'), ...documents]);
const kind1 = Buffer.concat([Buffer.from([1]), int(sequence.length + 4), sequence]);

test('a command and the documents beside it are told apart, in either order', () => {
  for (const sections of [
    [kind0, kind1],
    [kind1, kind0],
  ]) {
    const request = parse(message(0, ...sections));
    expect(request).toMatchObject({ id: 7, legacy: false, wantsReply: true });
    expect(request.fields.map(({ name }) => name)).toEqual(['insert', '$db']);
    expect(request.sequences.get('documents')).toEqual(Buffer.concat(documents));
  }
});

test('a checksum is left aside, and a request may want no reply', () => {
  const checked = message(1, kind0, Buffer.from([1, 2, 3, 4]));
  expect(parse(checked).body).toEqual(command);
  expect(parse(message(2, kind0)).wantsReply).toBe(false);
});

test('the old form of hello is understood and answered in its own form', () => {
  const hello = Buffer.from(serialize({ isMaster: 1 }));
  const query = framed(2004, Buffer.concat([int(0), Buffer.from('admin.$cmd\0'), int(0), int(-1), hello]));
  const request = parse(query);
  expect(request).toMatchObject({ legacy: true, body: hello });
  const answer = reply(request, { ok: 1 });
  expect(answer.readInt32LE(12)).toBe(1);
  expect(deserialize(answer.subarray(36))).toEqual({ ok: 1 });
});

test('messages are the same however the stream is cut', () => {
  const stream = Buffer.concat([message(0, kind0), message(0, kind0, kind1), message(2, kind0)]);
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 6 }), (places) => {
      const ends = [...places.toSorted((a, b) => a - b), stream.length];
      const found: Buffer[] = [];
      let rest: Buffer = Buffer.alloc(0);
      ends.forEach((end, n) => {
        const piece = cut(Buffer.concat([rest, stream.subarray(ends[n - 1] ?? 0, end)]));
        found.push(...piece.messages);
        rest = piece.rest;
      });
      expect(found).toHaveLength(3);
      expect(Buffer.concat(found)).toEqual(stream);
    }),
  );
});

test('what is not the protocol is refused', () => {
  expect(() => expected(Buffer.from('GET / HTTP/1.1'))).toThrow(RangeError);
  expect(() => cut(Buffer.alloc(20))).toThrow(RangeError);
  expect(() => parse(framed(2001, Buffer.alloc(8)))).toThrow('operation 2001');
  expect(() => parse(message(0, Buffer.from([9, 0, 0, 0, 0])))).toThrow(RangeError);
});
