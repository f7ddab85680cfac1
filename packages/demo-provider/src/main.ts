import { once } from 'node:events';
import { createServer } from 'node:http';
import { providerConfig } from './config.ts';
import { signingKey } from './key.ts';
import { providerOf, SIGN_IN_PATH } from './provider.ts';
import { signIn } from './sign-in.ts';

async function run(): Promise<void> {
  const config = providerConfig();
  const provider = providerOf(config, await signingKey(config.SIGNING_KEY_FILE));
  provider.on('server_error', (_context, error) => complain(error));
  const answer = provider.callback();
  const server = createServer((request, response) => {
    if (!request.url?.startsWith(SIGN_IN_PATH)) return void answer(request, response);
    signIn(provider, config, request, response).catch((error: Error) => {
      complain(error);
      response.destroy();
    });
  });
  const { hostname, port } = new URL(config.ISSUER);
  server.listen({ host: hostname, port: Number(port || 80) });
  await once(server, 'listening');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
  process.stdout.write(`${config.NAME} listens at ${config.ISSUER}\n`);
}

function complain(error: Error): void {
  process.stderr.write(`Error: ${error.message}\n`);
}

try {
  await run();
} catch (error) {
  complain(error as Error);
  process.exitCode = 1;
}
