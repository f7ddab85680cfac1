import type { ProblemDetail } from '@muster/contracts';

const MAX_DEPTH = 32;
const MAX_NODES = 200_000;
const MAX_FINDINGS = 50;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Names what no body may hold, whatever its schema: keys that reach into prototypes or query operators, text the
 * database cannot store, and nesting or size beyond reason. Walks without recursion, so depth cannot exhaust the stack.
 */
export function hostileParts(body: unknown): ProblemDetail[] {
  const found: ProblemDetail[] = [];
  const waiting: { value: unknown; path: string; depth: number }[] = [{ value: body, path: '', depth: 0 }];
  let nodes = 0;

  for (let next = waiting.pop(); next && found.length < MAX_FINDINGS; next = waiting.pop()) {
    const { value, path, depth } = next;
    if (++nodes > MAX_NODES) return [detail('', 'too_many_values', `more than ${MAX_NODES} values`)];
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH)
      return [detail(shortened(path), 'too_deep', `nested deeper than ${MAX_DEPTH} levels`)];
    for (const key of Object.keys(value)) {
      const child = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!Array.isArray(value) && isForbidden(key) && found.length < MAX_FINDINGS) {
        found.push(detail(shortened(child), 'forbidden_key', `"${shortened(key)}" is not allowed as a name`));
      }
      waiting.push({ value: (value as Record<string, unknown>)[key], path: child, depth: depth + 1 });
    }
  }
  return found;
}

const isForbidden = (key: string) =>
  FORBIDDEN.has(key) || key.startsWith('$') || key.includes('.') || key.includes('\0');
const shortened = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
const detail = (path: string, code: string, message: string): ProblemDetail => ({ path, code, message });
