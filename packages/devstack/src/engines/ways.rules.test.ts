import { describe, expect, test } from '@jest/globals';
import { candidates, type Findings } from './ways.rules.ts';

const bare: Findings = {
  variable: { name: 'MONGODB_URI', set: false },
  docker: { state: 'no program', detail: 'docker is not on PATH' },
  installer: { no: 'apt-get is not here' },
  download: { no: 'does not answer' },
  documentDb: { no: 'it runs on Linux only' },
};
const docker: Findings['docker'] = { state: 'ready', detail: 'Docker 28 answers', image: 'mongo:8.0' };

const possible = (...given: Parameters<typeof candidates>) =>
  candidates(...given)
    .filter((candidate) => candidate.possible)
    .map(({ way }) => way);

describe('the ways to have an engine', () => {
  test('a bare machine has none, and every way says why', () => {
    expect(possible('mongodb', bare)).toEqual([]);
    for (const { reason } of candidates('mongodb', bare)) expect(reason).not.toBe('');
  });

  test('come in the order of the design', () => {
    const everything: Findings = {
      ...bare,
      stack: 'mongodb://127.0.0.1:27017',
      variable: { name: 'MONGODB_URI', set: true },
      docker,
      program: { path: '/usr/bin/mongod', version: 'MongoDB 8.0' },
      download: { state: 'reachable' },
      documentDb: { state: 'built' },
    };
    const order = ['stack', 'url', 'docker', 'program', 'download', 'documentdb'];
    expect(possible('mongodb', everything)).toEqual(order);
  });

  test('Redis and RabbitMQ are installed where MongoDB is downloaded', () => {
    const installer: Findings['installer'] = { as: 'sudo' };
    expect(possible('redis', { ...bare, installer })).toEqual(['install']);
    expect(possible('rabbitmq', { ...bare, installer })).toEqual(['install']);
    expect(possible('mongodb', { ...bare, installer })).toEqual([]);
  });

  test('a program that is there is not installed', () => {
    const there = { ...bare, program: { path: '/usr/bin/redis-server', version: 'Redis 7' } };
    expect(possible('redis', { ...there, installer: { as: 'root' } })).toEqual(['program']);
  });

  test('Docker without a compose plugin is passed over, and says so', () => {
    const found: Findings['docker'] = {
      state: 'no compose',
      detail: 'Docker 28 answers, but has no compose plugin',
    };
    const way = candidates('redis', { ...bare, docker: found }).find(
      (candidate) => candidate.way === 'docker',
    );
    expect(way).toEqual({ way: 'docker', possible: false, reason: found.detail });
  });
});

describe('data from before', () => {
  const both: Findings = { ...bare, docker, documentDb: { state: 'built' } };

  test('brings its way ahead of the other local ones', () => {
    expect(possible('mongodb', both)).toEqual(['docker', 'documentdb']);
    expect(possible('mongodb', { ...both, keeper: 'documentdb' })).toEqual(['documentdb', 'docker']);
  });

  test('is found by every way that keeps it alike', () => {
    const program = { path: '/usr/bin/mongod', version: 'MongoDB 8.0' };
    const found: Findings = { ...both, program, download: { state: 'cached' }, keeper: 'server' };
    expect(possible('mongodb', found)).toEqual(['program', 'download', 'docker', 'documentdb']);
  });

  test('never outweighs a URL that was given', () => {
    const variable = { name: 'MONGODB_URI', set: true };
    expect(possible('mongodb', { ...both, variable, keeper: 'documentdb' })[0]).toBe('url');
  });

  test('whose way is gone changes nothing', () => {
    expect(possible('mongodb', { ...bare, docker, keeper: 'documentdb' })).toEqual(['docker']);
  });
});
