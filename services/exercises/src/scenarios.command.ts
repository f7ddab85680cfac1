import { relative, resolve } from 'node:path';
import { libraryFiles } from './scenarios/library.model.ts';
import { checkFiles } from './scenarios/scenario.command.ts';

const COMMANDS: Record<string, (files: string[]) => number> = {
  check(given) {
    const files = given.length > 0 ? given.map((file) => resolve(file)) : libraryFiles();
    const findings = checkFiles(files);
    for (const { file, path, message } of findings)
      say(`${relative('.', file)}${path && ` ${path}`}: ${message}`);
    if (findings.length === 0) say(`${files.length} scenarios checked, nothing to mend.`);
    return findings.length > 0 ? 1 : 0;
  },
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs one command on scenario files; it needs no engine and no service. */
function main(name = '', ...files: string[]): number {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command(files);
  process.stderr.write('scenarios: say what to do: npm run scenarios -- check [files]\n');
  return 1;
}

process.exitCode = main(...process.argv.slice(2));
