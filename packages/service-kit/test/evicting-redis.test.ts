import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Engines } from '@muster/devstack';
import { eventually, ownEngines } from '@muster/testing';
import { Redis } from 'ioredis';
import { ask, type Notes, startNotes } from './stand.fixture.ts';

// A Redis of this file's own, since its policy is changed.

const shared = process.env.REDIS_URL;
let engines: Engines;
let service: Notes;

beforeAll(async () => {
  engines = await ownEngines('redis');
  const redis = new Redis(engines.redisUrl);
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
  redis.disconnect();
  process.env.REDIS_URL = engines.redisUrl;
  service = await startNotes();
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await engines?.stop();
  process.env.REDIS_URL = shared;
});

test('a Redis that would evict jobs makes a service not ready, and says why', async () => {
  const { body } = await eventually(async () => {
    const answer = await ask<{ checks: { redis: { detail: string } } }>(service, 'GET /ready');
    expect(answer.status).toBe(503);
    return answer;
  });
  expect(body.checks.redis.detail).toMatch(/noeviction/);
});
