import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** What the driver keeps to itself. */
interface DriverConnection {
  id: number | '<monitor>';
  socket: Socket;
  writeCommand(command: { command?: Record<string, unknown> }, options: object): Promise<void>;
}

const fromMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
const { Connection } = fromMongoose('mongodb/lib/cmap/connection.js') as {
  Connection: { prototype: DriverConnection };
};

/**
 * Makes the driver hang as it does now and then when its server dies: from here on the first matching command finds
 * its socket destroyed between its start and its write, and waits for the socket to drain for ever.
 * @returns resolves when that has happened
 */
export function hangs(
  matches: (connection: DriverConnection, command: Record<string, unknown>) => boolean,
): Promise<void> {
  const write = Connection.prototype.writeCommand;
  return new Promise((resolve) => {
    Connection.prototype.writeCommand = function (this: DriverConnection, message, options) {
      if (matches(this, message.command ?? {})) {
        Connection.prototype.writeCommand = write;
        this.socket.destroy();
        resolve();
      }
      return write.call(this, message, options);
    };
  });
}

export const monitors = ({ id }: DriverConnection) => id === '<monitor>';
