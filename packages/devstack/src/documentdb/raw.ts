/**
 * Walks the top level of a BSON document without decoding it: the bridge reads a handful of fields of each
 * command and passes the rest on as it came. Layout: https://bsonspec.org/spec.html.
 */
export interface Field {
  name: string;
  type: number;
  /** Where the element starts (its type byte), where its value starts, and where it ends. */
  start: number;
  value: number;
  end: number;
}

export const TYPE = {
  double: 1,
  string: 2,
  document: 3,
  array: 4,
  binary: 5,
  bool: 8,
  int: 16,
  long: 18,
} as const;

const FIXED: Record<number, number> = {
  1: 8,
  6: 0,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
  127: 0,
  255: 0,
};

/**
 * Lists the top-level elements of the document that starts at `offset`.
 * Raises RangeError when lengths do not fit the buffer or a type is unknown.
 */
export function fieldsOf(bytes: Buffer, offset = 0): Field[] {
  const end = offset + bytes.readInt32LE(offset) - 1;
  if (end >= bytes.length) throw new RangeError('BSON document is longer than its message');
  const fields: Field[] = [];
  let at = offset + 4;
  while (at < end) {
    const start = at;
    const type = bytes.readUInt8(at);
    const nameEnd = bytes.indexOf(0, at + 1);
    if (nameEnd < 0) throw new RangeError('BSON field without an end of its name');
    const name = bytes.toString('utf8', at + 1, nameEnd);
    const value = nameEnd + 1;
    at = value + sizeOf(bytes, type, value);
    if (at > end || at < value) throw new RangeError(`BSON field ${name} does not fit its document`);
    fields.push({ name, type, start, value, end: at });
  }
  return fields;
}

function sizeOf(bytes: Buffer, type: number, at: number): number {
  const fixed = FIXED[type];
  if (fixed !== undefined) return fixed;
  switch (type) {
    case 2:
    case 13:
    case 14:
      return 4 + bytes.readInt32LE(at);
    case 3:
    case 4:
    case 15:
      return bytes.readInt32LE(at);
    case 5:
      return 5 + bytes.readInt32LE(at);
    case 11: {
      const pattern = bytes.indexOf(0, at);
      return bytes.indexOf(0, pattern + 1) + 1 - at;
    }
    case 12:
      return 4 + bytes.readInt32LE(at) + 12;
    default:
      throw new RangeError(`BSON type ${type} is unknown`);
  }
}

/** The document at the start of `bytes` without the fields for which `drop` answers true. */
export function without(bytes: Buffer, fields: Field[], drop: (name: string) => boolean): Buffer {
  const kept = fields
    .filter((field) => !drop(field.name))
    .map((field) => bytes.subarray(field.start, field.end));
  const size = kept.reduce((sum, part) => sum + part.length, 5);
  const head = Buffer.allocUnsafe(4);
  head.writeInt32LE(size);
  return Buffer.concat([head, ...kept, Buffer.alloc(1)], size);
}

/** A string field's text. */
export function textAt(bytes: Buffer, field: Field): string {
  return bytes.toString('utf8', field.value + 4, field.end - 1);
}

/** A number field (double, int or long) as a number; undefined for other types. */
export function numberAt(bytes: Buffer, field: Field): number | undefined {
  if (field.type === TYPE.int) return bytes.readInt32LE(field.value);
  if (field.type === TYPE.long) return Number(bytes.readBigInt64LE(field.value));
  if (field.type === TYPE.double) return bytes.readDoubleLE(field.value);
  return undefined;
}

/** A boolean field; undefined for other types. */
export function boolAt(bytes: Buffer, field: Field): boolean | undefined {
  return field.type === TYPE.bool ? bytes.readUInt8(field.value) === 1 : undefined;
}
