import { AppError } from '@muster/service-kit';

/** One item of a delivery: its place, and its text; null where that is not UTF-8. */
export interface Item {
  index: number;
  text: string | null;
}

const MARK = [0xef, 0xbb, 0xbf];
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACE = 0x7b;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The body behind the byte order mark that some senders put before UTF-8. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  return MARK.every((byte, at) => bytes[at] === byte) ? bytes.subarray(MARK.length) : bytes;
}

/** The first byte that is no space, or undefined. */
export function firstByte(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => !SPACE.has(byte));
}

/** The lines that hold something, one by one, without a copy of the whole. */
export function* lines(bytes: Uint8Array): Generator<Item> {
  let index = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from);
    const to = end === -1 ? bytes.length : end;
    const text = textOf(bytes, from, to);
    if (text !== '') {
      yield { index, text };
      index += 1;
    }
    from = to + 1;
  }
}

/**
 * The items of a JSON array, one by one, without a copy of the whole; what an item says is not looked at.
 * Raises `malformed-json` where the array itself is broken.
 */
export function* arrayItems(bytes: Uint8Array): Generator<Item> {
  let at = bytes.indexOf(0x5b) + 1;
  for (let index = 0; ; index += 1) {
    const from = skipSpace(bytes, at);
    if (index === 0 && bytes[from] === 0x5d) return ended(bytes, from);
    const to = endOfItem(bytes, from);
    if (to === from) throw broken();
    yield { index, text: textOf(bytes, from, to) };
    if (bytes[to] !== COMMA) return ended(bytes, to);
    at = to + 1;
  }
}

/**
 * JSON objects that follow on each other with nothing or space between them, as forwarders of Splunk send them.
 * Raises `malformed-json` where one of them has no end, or something else stands between them.
 */
export function* objects(bytes: Uint8Array): Generator<Item> {
  let index = 0;
  for (let from = skipSpace(bytes, 0); from < bytes.length; index += 1) {
    const to = endOfObject(bytes, from);
    yield { index, text: textOf(bytes, from, to) };
    from = skipSpace(bytes, to);
  }
}

/** True where more than one object stands in a body. */
export function hasSeveral(bytes: Uint8Array): boolean {
  return skipSpace(bytes, endOfObject(bytes, skipSpace(bytes, 0))) < bytes.length;
}

/** Behind the bracket that closes an object. */
function endOfObject(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== BRACE) throw broken();
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (OPEN.has(byte)) depth += 1;
    else if (CLOSE.has(byte)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  throw broken();
}

/** Where the comma or bracket behind an item stands. */
function endOfItem(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (OPEN.has(byte)) depth += 1;
    else if (depth === 0 && (byte === COMMA || CLOSE.has(byte))) return at;
    else if (CLOSE.has(byte)) depth -= 1;
  }
  throw broken();
}

/** Where the closing quote stands. */
function endOfString(bytes: Uint8Array, open: number): number {
  for (let at = bytes.indexOf(QUOTE, open + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  throw broken();
}

/** Behind the closing bracket stands nothing. */
function ended(bytes: Uint8Array, at: number): void {
  if (bytes[at] !== 0x5d || skipSpace(bytes, at + 1) < bytes.length) throw broken();
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (SPACE.has(bytes[at] ?? 0)) at += 1;
  return at;
}

const broken = () => new AppError('malformed-json', 'The body is not valid JSON in UTF-8.');

const decoder = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Uint8Array, from: number, to: number): string | null {
  try {
    return decoder.decode(bytes.subarray(from, to)).trim();
  } catch {
    return null;
  }
}
