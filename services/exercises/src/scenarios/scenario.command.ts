import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { scenarioProblems } from '@muster/contracts';
import { belowStandard } from './standard.rules.ts';
import { readUpload } from './upload.rules.ts';

/** What is wrong at one place of a file; `path` is a JSON pointer, empty for the whole file. */
export interface Finding {
  file: string;
  path: string;
  message: string;
}

/**
 * Checks scenario files as an upload is checked, then against the library's standard.
 * @param files paths of JSON files, each a scenario
 * @returns every finding, in the order of the files; empty when all are fit for the library
 */
export function checkFiles(files: readonly string[]): Finding[] {
  return files.flatMap((file) => findings(file).map(({ path, message }) => ({ file, path, message })));
}

function findings(file: string): Omit<Finding, 'file'>[] {
  const read = readJson(file);
  if ('problem' in read) return [{ path: '', message: read.problem }];
  const checked = readUpload(read.value);
  if ('problems' in checked) return checked.problems;
  const { upload } = checked;
  const named = upload.filename === basename(file);
  return [
    ...(named ? [] : [{ path: '/filename', message: `must be the name of the file, ${basename(file)}` }]),
    ...scenarioProblems(upload),
    ...belowStandard(upload),
  ];
}

function readJson(file: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(readFileSync(file, 'utf8')) };
  } catch (error) {
    const isSyntax = error instanceof SyntaxError;
    return { problem: isSyntax ? `is not JSON: ${error.message}` : 'cannot be read: is there such a file?' };
  }
}
