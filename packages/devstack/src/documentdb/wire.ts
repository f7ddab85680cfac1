import { serialize } from 'bson';
import { type Field, fieldsOf } from './raw.ts';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER = 16;
const MAX_SIZE = 48_000_000;
const CHECKSUM = 1;
const MORE_TO_COME = 2;

/** One command as it came: its document's bytes and, by name, the documents sent beside it. */
export interface Request {
  id: number;
  legacy: boolean;
  /** False when the client asked for no reply (unacknowledged write). */
  wantsReply: boolean;
  body: Buffer;
  fields: Field[];
  sequences: Map<string, Buffer>;
}

/** Cuts complete messages out of a stream's bytes; answers the messages and what is left over. */
export function cut(bytes: Buffer): { messages: Buffer[]; rest: Buffer } {
  const messages: Buffer[] = [];
  let at = 0;
  while (bytes.length - at >= 4) {
    const size = expected(bytes, at);
    if (bytes.length - at < size) break;
    messages.push(bytes.subarray(at, at + size));
    at += size;
  }
  return { messages, rest: at === 0 ? bytes : bytes.subarray(at) };
}

/**
 * How many bytes the message at `at` has in all; 0 while its length is not there yet.
 * Raises RangeError for a length that no message has.
 */
export function expected(bytes: Buffer, at = 0): number {
  if (bytes.length - at < 4) return 0;
  const size = bytes.readInt32LE(at);
  if (size < HEADER || size > MAX_SIZE) throw new RangeError(`message of ${size} bytes`);
  return size;
}

/**
 * Reads OP_MSG (sections of kind 0 and 1) and the OP_QUERY that drivers use for their first hello.
 * Raises RangeError for any other operation or a broken message.
 */
export function parse(message: Buffer): Request {
  const id = message.readInt32LE(4);
  const op = message.readInt32LE(12);
  if (op === OP_MSG) return parseMsg(message, id);
  if (op !== OP_QUERY) throw new RangeError(`operation ${op} is not supported`);
  const body = message.subarray(message.indexOf(0, 20) + 1 + 8);
  return { id, legacy: true, wantsReply: true, body, fields: fieldsOf(body), sequences: new Map() };
}

function parseMsg(message: Buffer, id: number): Request {
  const flags = message.readUInt32LE(16);
  const end = message.length - (flags & CHECKSUM ? 4 : 0);
  const sequences = new Map<string, Buffer>();
  let body: Buffer | undefined;
  let at = 20;
  while (at < end) {
    const kind = message.readUInt8(at);
    const size = message.readInt32LE(at + 1);
    if (size < 5 || at + 1 + size > end) throw new RangeError(`section of ${size} bytes`);
    const section = message.subarray(at + 1, at + 1 + size);
    if (kind === 0) body = section;
    else if (kind === 1) {
      const nameEnd = section.indexOf(0, 4);
      sequences.set(section.toString('utf8', 4, nameEnd), section.subarray(nameEnd + 1));
    } else throw new RangeError(`section kind ${kind} is unknown`);
    at += 1 + size;
  }
  if (!body) throw new RangeError('message has no command');
  const wantsReply = (flags & MORE_TO_COME) === 0;
  return { id, legacy: false, wantsReply, body, fields: fieldsOf(body), sequences };
}

/** The bytes of a reply to `request`; `body` is a document or its BSON. */
export function reply(request: Request, body: Buffer | Record<string, unknown>): Buffer {
  const bson = Buffer.isBuffer(body) ? body : serialize(body, { ignoreUndefined: true });
  const head = Buffer.alloc(request.legacy ? 36 : 21);
  head.writeInt32LE(head.length + bson.length, 0);
  head.writeInt32LE(request.id, 8);
  head.writeInt32LE(request.legacy ? OP_REPLY : OP_MSG, 12);
  if (request.legacy) head.writeInt32LE(1, 32);
  return Buffer.concat([head, bson]);
}
