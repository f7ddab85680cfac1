import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ensureBrowser, startEngines } from '@muster/devstack';

// What `npm test` does: types, lint, engines, every test, and one closing line. Arguments go to jest.

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BIN = join(ROOT, 'node_modules', '.bin');
/** What was checked already: the next run looks at what has changed. */
const TYPES = join(ROOT, 'node_modules', '.tsbuildinfo');

interface Tally {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  success: boolean;
}

async function main(): Promise<number> {
  // Beside the engines, which mostly wait while they are installed and come up.
  const checking = Promise.all([
    check('types', 'tsc', ['--noEmit', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', TYPES]),
    check('lint', 'biome', ['check', '.']),
  ]);
  const browsing = browserForTests();
  const engines = await startEngines({ root: ROOT, purpose: 'test', report: (line) => console.log(line) });
  const results = await mkdtemp(join(tmpdir(), 'muster-test-'));
  try {
    const [checks, browser] = await Promise.all([checking, browsing]);
    const file = join(results, 'jest.json');
    await jest(file, {
      MONGODB_URI: engines.mongodbUri,
      AMQP_URL: engines.amqpUrl,
      ...(engines.amqpManagementUrl && { AMQP_MANAGEMENT_URL: engines.amqpManagementUrl }),
      REDIS_URL: engines.redisUrl,
      ...browser,
    });
    const tally = JSON.parse(await readFile(file, 'utf8')) as Tally;
    const failedChecks = checks.filter((passed) => !passed).length;
    const passed = tally.numPassedTests + checks.length - failedChecks;
    // A suite that did not even load has no failed test to count.
    const failed = Math.max(tally.numFailedTests, tally.numFailedTestSuites) + failedChecks;
    console.log(`\n${passed} passed, ${failed} failed`);
    return failed === 0 && tally.success && tally.numPassedTests > 0 ? 0 : 1;
  } finally {
    await engines.stop();
    await rm(results, { recursive: true, force: true });
  }
}

/** Where there is no browser and none can be had, the tests that need one say so and are left out. */
async function browserForTests(): Promise<Record<string, string>> {
  const found = await ensureBrowser((line) => console.log(line), join(ROOT, '.muster', 'log', 'browser.log'));
  if ('path' in found) return { CHROMIUM: found.path };
  console.log(`No Chromium for the tests of pages: ${found.missing}`);
  return { NO_CHROMIUM: found.missing };
}

/** Runs a check; what it says is shown as a whole, since others speak meanwhile. */
async function check(name: string, program: string, args: string[]): Promise<boolean> {
  const started = performance.now();
  const child = spawn(join(BIN, program), args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('error', resolve).on('exit', resolve)),
  ]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (code !== 0) process.stdout.write(output + errors);
  console.log(`${name}: ${code === 0 ? 'fine' : 'not fine'} (${seconds} s)`);
  return code === 0;
}

async function jest(outputFile: string, engines: Record<string, string>): Promise<number> {
  const program = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', program];
  const options = ['-c', 'packages/testing/jest.config.js', '--json', `--outputFile=${outputFile}`];
  return await run(process.execPath, [...args, ...options, ...process.argv.slice(2)], {
    ...process.env,
    ...engines,
  });
}

function run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    // --json would print the results too; people read them from standard error.
    const child = spawn(command, args, {
      cwd: ROOT,
      env,
      stdio: ['ignore', args.includes('--json') ? 'ignore' : 'inherit', 'inherit'],
    });
    child.on('error', reject).on('exit', (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main();
