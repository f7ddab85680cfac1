import { type ProblemDetail, pointer } from './problem.ts';

export const MAX_DEPTH = 32;
export const MAX_VALUES = 200_000;
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
 * @param limits.findings how many are named at most
 * @param limits.dots whether names may have dots, as those of ECS do
 */
export function hostileParts(
  body: unknown,
  { findings = MAX_FINDINGS, dots = false }: { findings?: number; dots?: boolean } = {},
): ProblemDetail[] {
  const found: ProblemDetail[] = [];
  const waiting: Place[] = [{ value: body, key: '', around: null, depth: 0 }];
  let values = 1;

  for (let next = waiting.pop(); next && found.length < findings; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH)
      return [detail(pathOf(next), 'too_deep', `nested deeper than ${MAX_DEPTH} levels`)];
    const entries = Object.entries(value);
    values += entries.length;
    if (values > MAX_VALUES) return [detail('', 'too_many_values', `more than ${MAX_VALUES} values`)];
    for (const [key, inner] of entries) {
      const place = { value: inner, key, around: next, depth: depth + 1 };
      if (!Array.isArray(value) && isForbidden(key, dots) && found.length < findings) {
        found.push(detail(pathOf(place), 'forbidden_key', `"${shortened(key)}" is not allowed as a name`));
      }
      if (typeof inner === 'object' && inner !== null) waiting.push(place);
    }
  }
  return found;
}

/** RFC 6901, shortened. */
function pathOf(place: Place): string {
  let path = '';
  for (let at: Place | null = place; at?.around; at = at.around)
    path = `${pointer([at.key.slice(0, 200)])}${path}`;
  return shortened(path);
}

const isForbidden = (key: string, dots: boolean) =>
  FORBIDDEN.has(key) || key.startsWith('$') || (!dots && key.includes('.')) || key.includes('\0');
const shortened = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
const detail = (path: string, code: string, message: string): ProblemDetail => ({ path, code, message });
