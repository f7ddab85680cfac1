import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);

/** The files that a file imports, types too: what is one cannot be read apart. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\b[^;]*?from '(\.[^']+)';$/gms)].map((match) =>
    normalize(join(dirname(file), match[1] ?? '')),
  );
}

/** The first way found from a file back to itself, for each file that is on one. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const follow = (file: string): void => {
    if (done.has(file)) return;
    const from = way.indexOf(file);
    if (from !== -1) {
      cycles.push([...way.slice(from), file]);
      return;
    }
    way.push(file);
    for (const next of graph.get(file) ?? []) follow(next);
    way.pop();
    done.add(file);
  };
  for (const file of graph.keys()) follow(file);
  return cycles;
}

test('a cycle is found where there is one', () => {
  const graph = new Map([
    ['a', ['b', 'd']],
    ['b', ['c']],
    ['c', ['b']],
    ['d', ['c']],
  ]);
  expect(cyclesOf(graph)).toEqual([['b', 'c', 'b']]);
});

test('no file imports itself, by whatever way', () => {
  expect(cyclesOf(new Map(files.map((file) => [file, importsOf(file)])))).toEqual([]);
});
