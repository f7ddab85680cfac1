import { spawnChild } from '../processes/child.ts';
import { onPath, output } from './programs.ts';
import type { Findings } from './ways.rules.ts';

/**
 * Installs packages without starting the services in them, now or at the next boot, and waits for its turn when
 * another program installs. A policy-rc.d that is there is respected; ours is gone when the script is.
 */
const SCRIPT = `
set -u
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 130' INT TERM
  printf '#!/bin/sh\\nexit 101\\n' > "$policy" && chmod 755 "$policy"
fi
units() { ls /etc/systemd/system/multi-user.target.wants /etc/systemd/system/sockets.target.wants 2>/dev/null; }
before=" $(units | tr '\\n' ' ') "
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
tries=0
until updated=$(apt-get -q update 2>&1); do
  printf '%s\\n' "$updated"
  tries=$((tries + 1))
  case "$updated" in *'Could not get lock'*) ;; *) break ;; esac
  [ "$tries" -lt 60 ] || break
  sleep 5
done
apt-get -q -y -o DPkg::Lock::Timeout=300 --no-install-recommends install "$@" || exit 1
for unit in $(units); do
  case "$before" in *" $unit "*) ;; *) systemctl disable --quiet "$unit" 2>/dev/null || true ;; esac
done
`;

let turn: Promise<unknown> = Promise.resolve();

/** Whether packages can be installed here, and as whom; looks only. */
export async function findInstaller(): Promise<Findings['installer']> {
  if (process.platform !== 'linux' || onPath('apt-get') === undefined) return { no: 'apt-get is not here' };
  if (process.getuid?.() === 0) return { as: 'root' };
  const sudo = onPath('sudo');
  if (sudo === undefined) return { no: 'apt-get needs root, and sudo is not here' };
  const allowed = (await output(sudo, ['-n', 'true'])) !== undefined;
  return allowed ? { as: 'sudo' } : { no: 'apt-get needs root, and sudo asks for a password' };
}

/**
 * Installs packages of the system, one call after the other.
 * @param as whether this process is root or asks sudo
 * @param logFile receives what apt-get says
 * @throws Error naming the log file when a package cannot be installed
 */
export function installPackages(packages: string[], as: 'root' | 'sudo', logFile: string): Promise<void> {
  const mine = turn.then(() => install(packages, as, logFile));
  turn = mine.catch(() => {});
  return mine;
}

async function install(packages: string[], as: 'root' | 'sudo', logFile: string): Promise<void> {
  const shell = ['/bin/sh', '-c', SCRIPT, 'install', ...packages];
  const [command = '', ...args] = as === 'sudo' ? ['sudo', '-n', ...shell] : shell;
  // Packages half installed would need repair by hand.
  const how = await spawnChild({ name: 'apt-get', command, args, logFile, lasting: true }).exited;
  if (how !== 'exit code 0')
    throw new Error(`apt-get could not install ${packages.join(' ')}; see ${logFile}`);
}
