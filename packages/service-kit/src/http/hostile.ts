import { type ProblemDetail, pointer } from '@muster/contracts';

export const MAX_DEPTH = 32;
export const MAX_NODES = 200_000;
const MAX_FINDINGS = 50;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

interface Place {
  value: unknown;
  key: string;
  around: Place | null;
  depth: number;
}

/**
 * Names what no body may hold, whatever its schema: keys that reach into prototypes or query operators, text the
 * database cannot store, and nesting or size beyond reason. Walks without recursion, so depth cannot exhaust the stack.
 */
export function hostileParts(body: unknown): ProblemDetail[] {
  const found: ProblemDetail[] = [];
  const waiting: Place[] = [{ value: body, key: '', around: null, depth: 0 }];
  let nodes = 1;

  for (let next = waiting.pop(); next && found.length < MAX_FINDINGS; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH)
      return [detail(pathOf(next), 'too_deep', `nested deeper than ${MAX_DEPTH} levels`)];
    const entries = Object.entries(value);
    nodes += entries.length;
    if (nodes > MAX_NODES) return [detail('', 'too_many_values', `more than ${MAX_NODES} values`)];
    for (const [key, inner] of entries) {
      const place = { value: inner, key, around: next, depth: depth + 1 };
      if (!Array.isArray(value) && isForbidden(key) && found.length < MAX_FINDINGS) {
        found.push(detail(pathOf(place), 'forbidden_key', `"${shortened(key)}" is not allowed as a name`));
      }
      if (typeof inner === 'object' && inner !== null) waiting.push(place);
    }
  }
  return found;
}

const OPEN = new Set(['{', '[', ','].map((mark) => mark.charCodeAt(0)));
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** True where JSON holds more values than any body may, told before it is parsed. */
export function holdsTooMuch(json: Uint8Array): boolean {
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) at = endOfString(json, at);
    else if (OPEN.has(byte) && ++values > MAX_NODES * 2) return true;
  }
  return false;
}

function endOfString(json: Uint8Array, open: number): number {
  for (let at = json.indexOf(QUOTE, open + 1); at !== -1; at = json.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (json[at - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return json.length;
}

/** RFC 6901, shortened. */
function pathOf(place: Place): string {
  let path = '';
  for (let at: Place | null = place; at?.around; at = at.around)
    path = `${pointer([at.key.slice(0, 200)])}${path}`;
  return shortened(path);
}

const isForbidden = (key: string) =>
  FORBIDDEN.has(key) || key.startsWith('$') || key.includes('.') || key.includes('\0');
const shortened = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
const detail = (path: string, code: string, message: string): ProblemDetail => ({ path, code, message });
