import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Place, USER } from './engine.ts';

/** The loopback ports of one RabbitMQ. */
export interface RabbitPorts {
  amqp: number;
  management: number;
  distribution: number;
  epmd: number;
}

/** Writes RabbitMQ's files beside its data: everything on the loopback, the management API on, one user. */
export function writeConfiguration(place: Place, { amqp, management }: RabbitPorts): void {
  const { dataDir, logDir, passwords } = place;
  for (const directory of [dataDir, join(dataDir, 'conf.d'), logDir])
    mkdirSync(directory, { recursive: true });
  const lines = [
    `listeners.tcp.1 = 127.0.0.1:${amqp}`,
    'management.tcp.ip = 127.0.0.1',
    `management.tcp.port = ${management}`,
    // It makes these for a new data directory, instead of guest.
    `default_user = ${USER}`,
    `default_pass = ${passwords.RABBITMQ_PASSWORD}`,
    'default_user_tags.administrator = true',
    'log.file.level = info',
    'log.console = false',
  ];
  writeFileSync(join(dataDir, 'rabbitmq.conf'), `${lines.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(join(dataDir, 'enabled_plugins'), '[rabbitmq_management].\n');
  writeFileSync(join(dataDir, 'rabbitmq-env.conf'), '');
  writeFileSync(join(logDir, 'rabbitmq.log'), '');
}

/**
 * The variables that keep a RabbitMQ apart from the system's own and from those of other checkouts.
 * @param program path of rabbitmq-server
 */
export function brokerEnvironment(program: string, place: Place, ports: RabbitPorts): NodeJS.ProcessEnv {
  const { dataDir, logDir } = place;
  return {
    ...process.env,
    PATH: `${dirname(program)}:${process.env.PATH ?? ''}`,
    // The Erlang cookie is made in HOME: this broker has its own.
    HOME: dataDir,
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    // The name is part of where data is kept, so it does not change with the port.
    RABBITMQ_NODENAME: 'muster@localhost',
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_CONFIG_FILE: join(dataDir, 'rabbitmq.conf'),
    RABBITMQ_CONFIG_FILES: join(dataDir, 'conf.d'),
    RABBITMQ_CONF_ENV_FILE: join(dataDir, 'rabbitmq-env.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(dataDir, 'advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(dataDir, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(dataDir, 'mnesia'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(dataDir, 'generated'),
    RABBITMQ_LOG_BASE: logDir,
    RABBITMQ_LOGS: join(logDir, 'rabbitmq.log'),
    // Two schedulers that do not spin are plenty beside everything else on a laptop.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
      '+S 2:2 +sbwt none +sbwtdcpu none +sbwtdio none -kernel inet_dist_use_interface {127,0,0,1}',
  };
}
