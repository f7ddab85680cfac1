import { isLoopback } from '../loopback.ts';
import type { KeyRing } from './envelope.ts';

/** What production must not start with, as far as the variables are among those that a process reads. */
interface Variables {
  MUSTER_MODE?: string;
  SERVICE_SECRET?: string;
  AMQP_URL?: string;
  KEY_ENCRYPTION_KEY?: KeyRing;
}

/** Names each variable that in production still is as an example or an engine's default has it, and what to do. */
export function defaultSecrets(variables: Variables): string[] {
  const { MUSTER_MODE, SERVICE_SECRET, AMQP_URL, KEY_ENCRYPTION_KEY } = variables;
  if (MUSTER_MODE !== 'production') return [];
  const problems: string[] = [];
  if (SERVICE_SECRET !== undefined && isPlaceholder(SERVICE_SECRET))
    problems.push('SERVICE_SECRET (it is a placeholder; make a random one with: openssl rand -base64 32)');
  if (AMQP_URL !== undefined && isDefaultBrokerUser(AMQP_URL))
    problems.push(
      "AMQP_URL (guest is everyone's user and for one machine only; make one with: rabbitmqctl add_user)",
    );
  for (const [id, key] of KEY_ENCRYPTION_KEY ?? []) {
    if (new Set(key).size >= FEWEST_DISTINCT_BYTES) continue;
    problems.push(
      `KEY_ENCRYPTION_KEY (the key "${id}" is a placeholder; make a random one with: openssl rand -base64 32)`,
    );
  }
  return problems;
}

/** 32 random bytes hold about 30 different values; `AAAA…` and its like hold a few. */
const FEWEST_DISTINCT_BYTES = 16;
/** 32 random hexadecimal digits hold 9 different ones or more, but for three times in a million. */
const FEWEST_DISTINCT_CHARACTERS = 9;
const PLACEHOLDER = /change.?me|replace.?me|placeholder|example|default|password|your.?secret/i;

function isPlaceholder(secret: string): boolean {
  return new Set(secret).size < FEWEST_DISTINCT_CHARACTERS || PLACEHOLDER.test(secret);
}

/** RabbitMQ comes with guest:guest, which is also what a URL without a user means. */
function isDefaultBrokerUser(amqpUrl: string): boolean {
  if (!URL.canParse(amqpUrl)) return false;
  const { hostname, username, password } = new URL(amqpUrl);
  if (isLoopback(hostname)) return false;
  return username === '' || (username === 'guest' && password === 'guest');
}
