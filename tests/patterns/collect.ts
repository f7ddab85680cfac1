import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

export interface Pattern {
  file: string;
  source: string;
  flags: string;
}

/** The regular expressions that a source file writes as literals. */
export function literalsIn(file: string, path: string): Pattern[] {
  const found: Pattern[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    else if (typeof node === 'object' && node !== null) {
      if ('type' in node && node.type === 'RegExpLiteral') {
        const { pattern, flags } = node as unknown as { pattern: string; flags: string };
        found.push({ file, source: pattern, flags });
      }
      for (const value of Object.values(node)) visit(value);
    }
  };
  visit(
    parseSync(readFileSync(path, 'utf8'), {
      syntax: 'typescript',
      tsx: path.endsWith('.tsx'),
      target: 'es2024',
    }),
  );
  return found;
}
