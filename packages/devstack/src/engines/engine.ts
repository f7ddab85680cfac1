import type { Passwords } from '../home/secrets.ts';

/** The three engines Muster stands on. */
export const ENGINES = ['mongodb', 'rabbitmq', 'redis'] as const;
export type EngineName = (typeof ENGINES)[number];

/** How an engine came to be there; `docs` in ways.rules.ts says when which is taken. */
export type Way = 'stack' | 'url' | 'docker' | 'program' | 'install' | 'download' | 'documentdb';

/** The user that every engine of ours knows. */
export const USER = 'muster';

/** Where an engine answers, with user and password. */
export interface EngineUrls {
  uri: string;
  /** RabbitMQ's HTTP API, without the path. */
  managementUrl?: string;
}

/** A started engine. */
export interface Engine extends EngineUrls {
  name: EngineName;
  way: Way;
  /** What exactly runs, such as `Redis 7.0.15 from /usr/bin/redis-server`. */
  detail: string;
  /** Stops it, keeping its data and its port; forces it after `graceMs`, 15 s unless given. */
  stop(graceMs?: number): Promise<void>;
  /** Starts it again where it was, and resolves when it answers. */
  start(): Promise<void>;
  /** Ends it at once, as a crash would; supervision brings it back. */
  kill(): void;
}

/** What an engine needs to know to run here. */
export interface Place {
  /** Directory its data lives in. */
  dataDir: string;
  /** Directory of readable logs. */
  logDir: string;
  /** What it asks for from whoever wants to use it. */
  passwords: Passwords;
  /** Gives its ports. */
  port: (name: string) => Promise<number>;
  /** Receives lines for people. */
  report: (line: string) => void;
}

/** Which engines to bring up. */
export interface EngineOptions {
  /** The checkout. */
  root: string;
  /** `start` keeps its data in `.muster/start`; `test` has data of its own, which goes with it. */
  purpose: 'start' | 'test';
  /** Receives progress, one line at a time. */
  report: (line: string) => void;
  /** Start engines of its own even where a stack of this checkout runs: for tests that stop them. */
  own?: boolean;
  /** Makes these engines a stack that others use; called when someone asks it to stop. */
  onStopRequest?: () => void;
}
