import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { library } from '../src/scenarios/library.service.ts';
import { checkFiles } from '../src/scenarios/scenario.command.ts';

const PROGRAM = fileURLToPath(new URL('../src/scenarios.command.ts', import.meta.url));
const [sound] = library;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-scenarios-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const scenarioFile = (name: string, changes: object) =>
  written(name, JSON.stringify({ filename: name, ...sound?.content, ...changes }));
const pathsOf = (file: string) => checkFiles([file]).map(({ path }) => path);

describe('checking files', () => {
  test('a scenario that meets the standard has no finding', () => {
    expect(checkFiles([scenarioFile('sound.json', {})])).toEqual([]);
  });

  test('what cannot be read is one finding on the whole file', () => {
    const missing = join(folder, 'missing.json');
    expect(checkFiles([missing])).toEqual([
      { file: missing, path: '', message: 'cannot be read: is there such a file?' },
    ]);
    const broken = written('broken.json', '{"title": ');
    expect(checkFiles([broken])).toEqual([
      { file: broken, path: '', message: expect.stringMatching(/^is not JSON: /) },
    ]);
  });

  test('the contract, the references and the standard are checked, and the name', () => {
    expect(pathsOf(scenarioFile('contract.json', { difficulty: 'hard', roles: [] }))).toEqual([
      '/difficulty',
      '/roles',
    ]);
    const unknown = { id: 'idle', name: 'Idle', responsibilities: 'Waits.' };
    expect(pathsOf(scenarioFile('references.json', { roles: [unknown] }))).toContain('/injects/0/to/0');
    expect(pathsOf(scenarioFile('standard.json', { duration_minutes: 180 }))).toEqual([]);
    expect(pathsOf(scenarioFile('standard.json', { duration_minutes: 181 }))).toEqual(['/duration_minutes']);
    expect(pathsOf(scenarioFile('name.json', { filename: 'other.json' }))).toEqual(['/filename']);
  });
});

describe('the command', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });

  test('says nothing is wrong with the library and ends well', () => {
    expect(run('check')).toMatchObject({
      status: 0,
      stdout: `${library.length} scenarios checked, nothing to mend.\n`,
    });
  });

  test('prints a line per finding, with file and pointer, and fails', () => {
    const { status, stdout } = run('check', scenarioFile('long.json', { duration_minutes: 200 }));
    expect(status).toBe(1);
    expect(stdout).toMatch(/long\.json \/duration_minutes: needs 60 to 180 minutes, has 200\n$/);
  });

  test('says how it is used when it is asked for something else', () => {
    expect(run('mend')).toMatchObject({ status: 1, stderr: expect.stringContaining('-- check [files]') });
  });
});
