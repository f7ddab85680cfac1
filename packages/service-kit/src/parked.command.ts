import { SERVICES } from '@muster/contracts';
import { type Operator, operatorOf, type Parked } from '@muster/messaging';
import { z } from 'zod';
import { baseVariables, environment, loadConfig } from './config.ts';
import { connectMongo } from './mongo/connection.ts';
import { createLog } from './telemetry/log.ts';

/** Says to whoever asked several services that this one has no such message. */
const NOT_HERE = 3;

const { MONGODB_URI, MONGODB_DB, AMQP_URL } = baseVariables;
const variables = z.object({ MONGODB_URI, MONGODB_DB, AMQP_URL });

/** What each command does, and says then; undefined where the service has no such message. */
const COMMANDS: Record<string, (operator: Operator, id: string) => Promise<string | undefined>> = {
  async list(operator) {
    const [parked, outbox] = [await operator.parked(), await operator.pending()];
    const waiting = `${outbox.pending} events wait to be published, the oldest for ${outbox.oldest_age_seconds} s`;
    return [`${parked.length} parked; ${waiting}`, ...parked.map(line)].join('\n');
  },
  async replay(operator, id) {
    const wanted = (await operator.parked()).filter((message) => id === '' || message.id === id);
    if (id !== '' && wanted.length === 0) return undefined;
    for (const message of wanted.toReversed()) await operator.replay(message.id);
    return `${wanted.length} message${wanted.length === 1 ? '' : 's'} replayed`;
  },
  republish: async (operator) => `${await operator.republish()} events are published again`,
};

function line({ id, org_id, type, subject, reason, attempts, parked_at }: Parked): string {
  const about = `${type} about ${subject} of ${org_id}, ${attempts} attempts: ${reason}`;
  // What came from outside must not speak to a terminal.
  return `  ${id}  ${parked_at}  ${about}`.replace(/\p{Cc}+/gu, ' ');
}

/** Runs one command on what a service gave up, in its environment, whether it runs or not. */
async function main(service = '', command = '', id = ''): Promise<void> {
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  const known = SERVICES.some((name) => name === service);
  if (!run || !known)
    throw new Error(`say of which service, and what to do: ${Object.keys(COMMANDS).join(' | ')} [id]`);
  const { MONGODB_URI: uri, MONGODB_DB: database, AMQP_URL: amqpUrl } = loadConfig(variables, environment());
  const connection = await connectMongo(uri, database);
  const operator = operatorOf({ service, connection, amqpUrl, log: createLog(service, 'silent') });
  try {
    const said = await run(operator, id);
    if (said === undefined) process.exitCode = NOT_HERE;
    else process.stdout.write(`${service}: ${said}\n`);
  } finally {
    await operator.close();
    await connection.close();
  }
}

await main(...process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`parked: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
