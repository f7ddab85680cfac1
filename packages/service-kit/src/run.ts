import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from './config.ts';
import { type RunningService, type ServiceDefinition, startService } from './service.ts';
import { createLog } from './telemetry/log.ts';
import { watchLoop } from './watchdog/watchdog.ts';

/** EX_TEMPFAIL of sysexits: nothing is wrong that a new process would not mend. */
const START_AGAIN = 75;
/** What is under way has this long when the process gives up. */
const LAST_WORK_MS = 10_000;

/**
 * Runs a service as this process until it is told to stop. A start that fails says why in one line and exits 1. When
 * the database's driver hangs, one line says so and it exits 75; whoever keeps it running starts it again.
 */
export async function runService(service: ServiceDefinition): Promise<void> {
  watchLoop(service.name);
  let running: RunningService | undefined;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= running?.stop().catch((err) => running?.runtime.log.error({ err }, 'the stop was not clean'));
    return stopped;
  };
  const giveUp = async (reason: string) => {
    createLog(service.name, 'fatal').fatal(`${reason}: this process ends, to be started again`);
    await Promise.race([stop(), sleep(LAST_WORK_MS)]);
    process.exit(START_AGAIN);
  };

  running = await startService(service, environment(), giveUp).catch((error: unknown) => {
    process.stderr.write(
      `${service.name} cannot start: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exit(1);
  });
  const { log } = running.runtime;
  const told = async (signal: string) => {
    if (stopped) return;
    log.info({ signal }, 'stopping');
    await stop();
    process.exit(0);
  };
  process.on('SIGTERM', told).on('SIGINT', told);
  process.on('unhandledRejection', (err) => log.error({ err }, 'a promise was left to fail'));
}
