import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GenericContainer } from 'testcontainers';
import { homeOf } from '../home/home.ts';
import { entrustCommand, releaseCommand } from '../processes/reaper.ts';
import {
  type ComposeService,
  composeFile,
  composeProject,
  composeService,
  docker,
  needImage,
} from './docker.ts';
import { type Engine, type EngineName, type EngineUrls, type Place, USER } from './engine.ts';
import { mongoUri, pingMongo } from './mongod.ts';
import { ownRabbit, rabbitUrls } from './rabbitmq.ts';
import { pingRedis, redisUrl } from './redis.ts';

/** Ports inside the containers, the variable that maps each to one of the host, and the name it is remembered by. */
const PORTS: Record<EngineName, { inside: number; variable: string; name: string }[]> = {
  mongodb: [{ inside: 27017, variable: 'MUSTER_MONGODB_PORT', name: 'mongodb' }],
  redis: [{ inside: 6379, variable: 'MUSTER_REDIS_PORT', name: 'redis' }],
  rabbitmq: [
    { inside: 5672, variable: 'MUSTER_AMQP_PORT', name: 'rabbitmq' },
    { inside: 15672, variable: 'MUSTER_AMQP_MANAGEMENT_PORT', name: 'rabbitmq-management' },
  ],
};
const READY_WITHIN_MS = 120_000;

let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs an engine with the checkout's docker-compose.yml, its data in the project's volumes.
 * @throws Error when the image cannot be had or the engine does not answer within 2 minutes
 */
export async function composeEngine(name: EngineName, root: string, place: Place): Promise<StartedContainer> {
  const service = composeService(root, name, place.passwords);
  await needImage(service.image, place.report);
  const files = ['--file', composeFile(root), '--env-file', writeVariables(root, place)];
  const project = ['compose', '--project-name', composeProject(root), ...files];
  const mapped = await mappedPorts(name, place);
  const env = {
    ...process.env,
    ...place.passwords,
    RABBITMQ_USER: USER,
    ...Object.fromEntries(mapped.map(({ variable, port }) => [variable, String(port)])),
  };
  // The project's network goes with its last container, its volumes stay.
  const remove = removal([...project, 'down', '--timeout', '20'], env);
  await inTurn(() => docker([...project, 'up', '--detach', name], env));
  const id = await docker([...project, 'ps', '--all', '--quiet', name], env);
  return { ...(await containerEngine(name, service, { id, mapped, place })), remove };
}

/**
 * Runs an engine in a container that lasts as long as the test run, on the same image.
 * @throws Error when the image cannot be had or the engine does not answer within 2 minutes
 */
export async function testContainer(name: EngineName, root: string, place: Place): Promise<StartedContainer> {
  // Our reaper removes containers; testcontainers' own would be one more image to pull.
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true';
  const service = composeService(root, name, place.passwords);
  const { image, command, environment = {} } = service;
  await needImage(image, place.report);
  const mapped = await mappedPorts(name, place);
  const container = new GenericContainer(image).withEnvironment(environment);
  if (command !== undefined) container.withCommand(command);
  container.withExposedPorts(...mapped.map(({ inside, port }) => ({ container: inside, host: port })));
  const started = await container.start();
  const id = started.getId();
  const remove = removal(['rm', '--force', '--volumes', id]);
  return { ...(await containerEngine(name, service, { id, mapped, place })), remove };
}

/** Writes the passwords to a file: whoever takes the containers away later, such as the reaper, knows no variables. */
function writeVariables(root: string, { passwords }: Place): string {
  const file = join(homeOf(root), 'compose.env');
  const lines = Object.entries(passwords).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  return file;
}

/** What takes containers away: run by the reaper too, should this process end before. */
function removal(args: string[], env?: NodeJS.ProcessEnv): () => Promise<void> {
  const command = ['docker', ...args];
  entrustCommand(command);
  return async () => {
    await inTurn(() => docker(args, env));
    releaseCommand(command);
  };
}

/** Does one thing after the other: what one engine does to the project's network concerns the others. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = turn.then(work);
  turn = mine.catch(() => {});
  return mine;
}

/** An engine in a container, and how to take the container away. */
export type StartedContainer = Omit<Engine, 'way' | 'detail'> & { remove: () => Promise<void> };
type MappedPort = { inside: number; variable: string; port: number };

async function mappedPorts(name: EngineName, place: Place): Promise<MappedPort[]> {
  return Promise.all(PORTS[name].map(async (port) => ({ ...port, port: await place.port(port.name) })));
}

async function containerEngine(
  name: EngineName,
  { healthcheck }: ComposeService,
  { id, mapped, place }: { id: string; mapped: MappedPort[]; place: Place },
): Promise<Omit<StartedContainer, 'remove'>> {
  const urls = urlsOf(name, mapped, place);
  const ready = () =>
    answering(name, async () => {
      // It makes the replica set and its user, as docker-compose.yml says for those who run that by hand.
      if (name === 'mongodb') await docker(['exec', id, ...healthcheck.test.slice(1)]);
      await answer(name, urls);
    });
  await ready().catch(async (error: Error) => {
    await docker(['rm', '--force', id]).catch(() => {});
    throw error;
  });
  return {
    name,
    ...urls,
    stop: () => docker(['stop', id]).then(() => {}),
    start: () => docker(['start', id]).then(ready),
    kill() {
      docker(['kill', id])
        .then(() => docker(['start', id]))
        .catch((error: Error) => place.report(error.message));
    },
  };
}

function urlsOf(name: EngineName, [first, second]: MappedPort[], { passwords }: Place): EngineUrls {
  const [port, management] = [first?.port ?? 0, second?.port ?? 0];
  if (name === 'mongodb') return { uri: mongoUri(port, passwords.MONGODB_PASSWORD) };
  if (name === 'redis') return { uri: redisUrl(port, passwords.REDIS_PASSWORD) };
  return rabbitUrls(port, management, passwords.RABBITMQ_PASSWORD);
}

async function answer(name: EngineName, { uri, managementUrl = '' }: EngineUrls): Promise<unknown> {
  if (name === 'redis') return pingRedis(uri);
  return name === 'rabbitmq' ? ownRabbit({ uri, managementUrl }) : pingMongo(uri);
}

async function answering(name: EngineName, answers: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    try {
      await answers();
      return;
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error(`${name} in Docker does not answer: ${(error as Error).message}`);
      await sleep(200);
    }
  }
}
