import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { portIsFree, readPorts, rememberedPorts } from '../src/ports/ports.ts';

const directory = mkdtempSync(join(tmpdir(), 'muster-ports-'));
afterAll(() => rmSync(directory, { recursive: true }));

const occupy = (port: number) =>
  new Promise<Server>((resolve) => {
    const server = createServer().listen(port, '127.0.0.1', () => resolve(server));
  });
const leave = (server: Server) => new Promise((resolve) => server.close(resolve));

test('a port is remembered from run to run', async () => {
  const file = join(directory, 'remembered.json');
  const first = await rememberedPorts(file).port('redis');
  expect(await rememberedPorts(file).port('redis')).toBe(first);
  expect(readPorts(file)).toEqual({ redis: first });
});

test('a remembered port that is taken is replaced', async () => {
  const file = join(directory, 'replaced.json');
  const first = await rememberedPorts(file).port('redis');
  const other = await occupy(first);
  const second = await rememberedPorts(file).port('redis');
  await leave(other);
  expect(second).not.toBe(first);
  expect(await rememberedPorts(file).port('redis')).toBe(second);
});

test('ports asked for at once all differ, and are free', async () => {
  const ports = rememberedPorts();
  const given = await Promise.all(Array.from({ length: 40 }, (_, n) => ports.port(`service-${n}`)));
  expect(new Set(given).size).toBe(40);
  expect(await Promise.all(given.map(portIsFree))).not.toContain(false);
});
