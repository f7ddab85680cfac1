import { setTimeout as sleep } from 'node:timers/promises';
import { GenericContainer } from 'testcontainers';
import { entrustCommand, releaseCommand } from '../processes/reaper.ts';
import { composeFile, composeProject, composeService, docker, needImage } from './docker.ts';
import type { Engine, EngineName, EngineUrls, Place } from './engine.ts';
import { becomePrimary, pingMongo } from './mongod.ts';
import { pingRabbit } from './rabbitmq.ts';
import { pingRedis } from './redis.ts';

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
  await needImage(composeService(root, name).image, place.report);
  const project = ['compose', '--project-name', composeProject(root), '--file', composeFile(root)];
  const mapped = await mappedPorts(name, place);
  const env = {
    ...process.env,
    ...Object.fromEntries(mapped.map(({ variable, port }) => [variable, String(port)])),
  };
  // The project's network goes with its last container, its volumes stay.
  const remove = removal([...project, 'down', '--timeout', '20'], env);
  await inTurn(() => docker([...project, 'up', '--detach', name], env));
  const id = await docker([...project, 'ps', '--all', '--quiet', name], env);
  return { ...(await containerEngine(name, id, mapped, place)), remove };
}

/**
 * Runs an engine in a container that lasts as long as the test run, on the same image.
 * @throws Error when the image cannot be had or the engine does not answer within 2 minutes
 */
export async function testContainer(name: EngineName, root: string, place: Place): Promise<StartedContainer> {
  // Our reaper removes containers; testcontainers' own would be one more image to pull.
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true';
  const { image, command, environment = {} } = composeService(root, name);
  await needImage(image, place.report);
  const mapped = await mappedPorts(name, place);
  const container = new GenericContainer(image).withEnvironment(environment);
  if (command !== undefined) container.withCommand(command);
  container.withExposedPorts(...mapped.map(({ inside, port }) => ({ container: inside, host: port })));
  const started = await container.start();
  const remove = removal(['rm', '--force', '--volumes', started.getId()]);
  return { ...(await containerEngine(name, started.getId(), mapped, place)), remove };
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
  id: string,
  mapped: MappedPort[],
  place: Place,
): Promise<Omit<StartedContainer, 'remove'>> {
  const urls = urlsOf(name, mapped);
  const ready = () => answering(name, urls);
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

function urlsOf(name: EngineName, [first, second]: MappedPort[]): EngineUrls {
  const address = `127.0.0.1:${first?.port}`;
  if (name === 'mongodb') return { uri: `mongodb://${address}/?directConnection=true` };
  if (name === 'redis') return { uri: `redis://${address}` };
  return {
    uri: `amqp://guest:guest@${address}`,
    managementUrl: `http://guest:guest@127.0.0.1:${second?.port}`,
  };
}

async function answering(name: EngineName, { uri, managementUrl }: EngineUrls): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    try {
      if (name === 'redis') await pingRedis(uri);
      if (name === 'rabbitmq') await pingRabbit(uri, managementUrl);
      // Inside its container the server reaches itself by its usual port, whatever it is mapped to.
      if (name === 'mongodb') await becomePrimary(uri, '127.0.0.1:27017').then(() => pingMongo(uri));
      return;
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error(`${name} in Docker does not answer: ${(error as Error).message}`);
      await sleep(200);
    }
  }
}
