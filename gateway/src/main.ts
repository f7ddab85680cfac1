import { watchLoop } from '@muster/service-kit';
import { gatewayConfig } from './config.ts';
import { type Gateway, startGateway } from './gateway.ts';

watchLoop('gateway');
const gateway = await start();
process.once('SIGTERM', stop).once('SIGINT', stop);

async function start(): Promise<Gateway> {
  try {
    return await startGateway(gatewayConfig());
  } catch (error) {
    process.stderr.write(
      `The gateway cannot start: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exit(1);
  }
}

async function stop(): Promise<void> {
  await gateway.stop();
  process.exit(0);
}
