import type { EngineName, Way } from './engine.ts';

/** What was found on this machine that bears on one engine. */
export interface Findings {
  /** URL of the engine in a stack of this checkout that runs already. */
  stack?: string;
  /** Environment variable that names the engine, and whether it is set. */
  variable: { name: string; set: boolean };
  docker: { state: 'no program' | 'no daemon' | 'no compose' | 'ready'; detail: string; image?: string };
  /** The engine's program on PATH. */
  program?: { path: string; version: string };
  /** How packages can be installed; a sentence why not, when they cannot. */
  installer: { as: 'root' | 'sudo' } | { no: string };
  /** The download of the real MongoDB. */
  download: { state: 'cached' | 'reachable' } | { no: string };
  documentDb: { state: 'built' | 'buildable' } | { no: string };
  /** Where this checkout's data of this engine is from before. */
  keeper?: Keeper;
}

/** What keeps an engine's data: ways of the same keeper find each other's. */
export type Keeper = 'server' | 'documentdb' | 'docker';

/** What keeps the data of an engine that is had this way; undefined when that is not ours to say. */
export function keeperOf(way: Way): Keeper | undefined {
  if (way === 'stack' || way === 'url') return undefined;
  return way === 'docker' || way === 'documentdb' ? way : 'server';
}

/** One way to have an engine, and what was found about it. */
export interface Candidate {
  way: Way;
  possible: boolean;
  /** Why it can or cannot be taken, for people. */
  reason: string;
}

/** Debian's package of an engine that the distribution carries. */
export const PACKAGES: Partial<Record<EngineName, string>> = {
  redis: 'redis-server',
  rabbitmq: 'rabbitmq-server',
};

/**
 * Every way to have an engine, in the order in which they are tried; the first possible one that succeeds is taken.
 * A way whose data is there from before comes ahead of the other local ones, so that a second start finds its data.
 */
export function candidates(engine: EngineName, findings: Findings): Candidate[] {
  const given = [stack(findings), url(findings)];
  const ours = [docker(findings), program(findings), ...fetched(engine, findings)];
  const kept = ours.filter(({ way, possible }) => possible && keeperOf(way) === findings.keeper);
  const rest = ours.filter((candidate) => !kept.includes(candidate));
  return [
    ...given,
    ...kept.map((candidate) => ({ ...candidate, reason: `${candidate.reason}; its data is here` })),
    ...rest,
  ];
}

function stack({ stack: running }: Findings): Candidate {
  return running === undefined
    ? { way: 'stack', possible: false, reason: 'no stack of this checkout runs (npm run stack -- up)' }
    : { way: 'stack', possible: true, reason: 'a stack of this checkout runs' };
}

function url({ variable }: Findings): Candidate {
  return {
    way: 'url',
    possible: variable.set,
    reason: `${variable.name} is ${variable.set ? 'set' : 'not set'}`,
  };
}

function docker({ docker: found }: Findings): Candidate {
  if (found.state !== 'ready') return { way: 'docker', possible: false, reason: found.detail };
  const image = found.image === undefined ? 'the image would have to be pulled' : `has ${found.image}`;
  return { way: 'docker', possible: true, reason: `${found.detail}; ${image}` };
}

function program({ program: found }: Findings): Candidate {
  return found === undefined
    ? { way: 'program', possible: false, reason: 'not on PATH' }
    : { way: 'program', possible: true, reason: `${found.version}, ${found.path}` };
}

function fetched(engine: EngineName, findings: Findings): Candidate[] {
  return engine === 'mongodb' ? [download(findings), documentDb(findings)] : [install(engine, findings)];
}

function install(engine: EngineName, { installer, program: found }: Findings): Candidate {
  if (found !== undefined) return { way: 'install', possible: false, reason: 'not needed: it is on PATH' };
  if ('no' in installer) return { way: 'install', possible: false, reason: installer.no };
  return { way: 'install', possible: true, reason: `apt-get install ${PACKAGES[engine]} as ${installer.as}` };
}

function download({ download: found }: Findings): Candidate {
  if ('no' in found) return { way: 'download', possible: false, reason: found.no };
  const reason = found.state === 'cached' ? 'MongoDB was downloaded before' : 'MongoDB can be downloaded';
  return { way: 'download', possible: true, reason };
}

function documentDb({ documentDb: found }: Findings): Candidate {
  if ('no' in found) return { way: 'documentdb', possible: false, reason: found.no };
  const reason =
    found.state === 'built' ? 'DocumentDB is here' : "DocumentDB can be taken from Debian's packages";
  return { way: 'documentdb', possible: true, reason };
}
