import { environment } from './config.ts';
import { type ServiceDefinition, startService } from './service.ts';
import { watchLoop } from './watchdog/watchdog.ts';

/** Runs a service as this process until it is told to stop. A start that fails says why in one line and exits 1. */
export async function runService(service: ServiceDefinition): Promise<void> {
  watchLoop(service.name);
  const running = await startService(service, environment()).catch((error: unknown) => {
    process.stderr.write(
      `${service.name} cannot start: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exit(1);
  });
  const { log } = running.runtime;
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    await running.stop().catch((err: unknown) => log.error({ err }, 'the stop was not clean'));
    process.exit(0);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  process.on('unhandledRejection', (err) => log.error({ err }, 'a promise was left to fail'));
}
