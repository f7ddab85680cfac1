import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import { analyse } from 'scslre';
import { literalsIn, type Pattern } from './collect.ts';

// Every regular expression of the product costs time that grows with its input's length, whatever the input: found
// exactly where one character repeats (scslre), and measured on inputs that each pattern suggests itself.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WORKER = new URL('./growth.ts', import.meta.url);
/** A pattern that is done with none of its inputs by then is no linear one. */
const STALLED_MS = 20_000;
/** Made from what somebody wrote when it is used, so that it is not seen here: why each is linear. */
const MADE_LATER: Readonly<Record<string, string>> = {
  'packages/ai/src/redaction/redaction.ts': 'alternatives of names, letters only: nothing repeats in it',
  'packages/documents/src/pdf/inline.ts': 'one character class a fixed number of times',
};

/** They read what we write ourselves. */
const OWN: ReadonlySet<string> = new Set([
  // What ECharts has drawn, in which every text is escaped.
  'packages/documents/src/charts/drawing.ts /<defs >.*<\\/defs>/',
]);

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
  {
    cwd: ROOT,
    encoding: 'utf8',
  },
)
  .split('\n')
  // What only tests stand on reads only what they write.
  .filter((file) => /^(gateway|services\/[^/]+|packages\/(?!testing\/)[^/]+)\/src\//.test(file))
  .filter((file) => !file.endsWith('.test.ts'));
const making = files.filter((file) => readFileSync(`${ROOT}${file}`, 'utf8').includes('new RegExp('));

const made = JSON.parse(
  execFileSync(process.execPath, [fileURLToPath(new URL('./made.ts', import.meta.url)), ...making], {
    encoding: 'utf8',
  }),
) as Pattern[];
const named = ({ file, source, flags }: Pattern) => `${file} /${source}/${flags}`;
const all = [...files.flatMap((file) => literalsIn(file, `${ROOT}${file}`)), ...made];
const patterns = all.filter((pattern) => !OWN.has(named(pattern)));

describe('regular expressions', () => {
  test('all of them are seen, or said why not', () => {
    const unseen = making.filter((file) => !made.some((one) => one.file === file));
    expect(unseen.toSorted()).toEqual(Object.keys(MADE_LATER).toSorted());
    expect(all.length - patterns.length).toBe(OWN.size);
    expect(patterns.length).toBeGreaterThan(400);
  });

  test('none backtracks over a character that repeats', () => {
    const wrong = patterns.flatMap((pattern) =>
      analyse(pattern).reports.map(({ character }) => `${named(pattern)} on ${character.literal.source}`),
    );
    expect(wrong).toEqual([]);
  });

  test('on what it suggests, repeated, the cost of each grows with the length', async () => {
    expect(await grown()).toEqual([]);
  }, 300_000);
});

/** The patterns whose cost grows faster than their input, or that never end; a worker for each run up to one of those. */
async function grown(): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; from < patterns.length; ) {
    const rest = patterns.slice(from);
    const { done, findings, problem } = await measured(rest);
    found.push(...findings);
    const stalled = rest[done];
    if (stalled) found.push(`${named(stalled)} ${problem}`);
    from += done + 1;
  }
  return found;
}

function measured(rest: readonly Pattern[]): Promise<{ done: number; findings: string[]; problem: string }> {
  return new Promise((resolve) => {
    const worker = new Worker(WORKER, { workerData: rest });
    const findings: string[] = [];
    let done = 0;
    const end = (problem: string) => {
      clearTimeout(timer);
      void worker.terminate();
      resolve({ done, findings, problem });
    };
    const stall = () => setTimeout(() => end('does not end'), STALLED_MS);
    let timer = stall();
    worker.on('message', ({ at, finding }: { at: number; finding?: string | null }) => {
      clearTimeout(timer);
      timer = stall();
      if (finding === undefined) return;
      done = at + 1;
      const pattern = rest[at];
      if (finding && pattern) findings.push(`${named(pattern)} ${finding}`);
    });
    worker.on('error', (error) => end(String(error)));
    worker.on('exit', () => end('ended early'));
  });
}
