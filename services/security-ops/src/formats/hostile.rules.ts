import { type ProblemDetail, pointer } from '@muster/contracts';

const DEEPEST = 32;
const MOST_VALUES = 20_000;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * What no event may hold, whatever its format: names that reach into prototypes or query operators, and nesting beyond
 * reason. Names with dots are ordinary here, ECS writes them. Walks without recursion. Null when there is nothing.
 */
export function hostilePart(event: unknown): ProblemDetail | null {
  const waiting: { value: unknown; path: string; depth: number }[] = [{ value: event, path: '', depth: 0 }];
  let values = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path, depth } = next;
    values += 1;
    if (values > MOST_VALUES) return detail('', 'too_many_values', `more than ${MOST_VALUES} values`);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= DEEPEST) return detail(path, 'too_deep', `nested deeper than ${DEEPEST} levels`);
    const named = !Array.isArray(value);
    for (const [key, inner] of Object.entries(value)) {
      if (named && isForbidden(key)) return forbidden(path, key);
      if (typeof inner === 'object' && inner !== null)
        waiting.push({
          value: inner,
          path: depth < 8 ? `${path}${pointer([short(key)])}` : path,
          depth: depth + 1,
        });
    }
  }
  return null;
}

const isForbidden = (key: string) => key.startsWith('$') || FORBIDDEN.has(key) || key.includes('\0');

function forbidden(path: string, key: string): ProblemDetail {
  return detail(
    `${path}${pointer([short(key)])}`,
    'forbidden_key',
    `"${short(key)}" is not allowed as a name`,
  );
}

const short = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
const detail = (path: string, code: string, message: string): ProblemDetail => ({ path, code, message });
