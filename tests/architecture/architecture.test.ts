import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { apis, type Endpoint, openApiDocument, platformApis, SERVICES } from '@muster/contracts';
import { CUSTOMER_ENDPOINTS } from './customer-endpoints.ts';

// Keeps the house as docs and design describe it. What it finds is named by file, so that the mend is plain.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAX_LINES = 300;
const ROLES = [
  'model',
  'routes',
  'service',
  'rules',
  'reader',
  'variables',
  'data',
  'texts',
  'thread',
  'consumers',
  'jobs',
  'start',
  'prompts',
  'command',
];
const NAMELESS = /(^|\/)(utils?|helpers?|common|misc|shared|lib)(\/|\.tsx?$)/;
/** What may import what: a package names those it may lean on. */
const ALLOWED: Record<string, string[]> = {
  contracts: [],
  messaging: ['contracts'],
  'service-kit': ['contracts', 'messaging'],
  devstack: [],
  ai: ['contracts'],
  attack: [],
  documents: ['contracts'],
  'demo-provider': ['contracts'],
  testing: ['contracts', 'demo-provider', 'devstack', 'service-kit'],
};

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\n')
  .filter(Boolean);
const sources = files.filter(
  (file) => /^(gateway|services\/[^/]+|packages\/[^/]+)\/src\//.test(file) && !file.endsWith('.test.ts'),
);
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const importsOf = (file: string) =>
  [...read(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');

describe('imports', () => {
  test.each(Object.entries(ALLOWED))('package %s leans only on %j', (name, allowed) => {
    const wrong = sources
      .filter((file) => file.startsWith(`packages/${name}/`))
      .flatMap((file) => importsOf(file).map((from) => [file, from] as const))
      .filter(([, from]) => from.startsWith('@muster/') && !allowed.includes(from.slice('@muster/'.length)));
    expect(wrong).toEqual([]);
  });

  test('no service or the gateway imports a service, and nothing reaches into another folder of the workspace', () => {
    const wrong = sources.flatMap((file) => {
      const home = file.split('/src/')[0] ?? '';
      return importsOf(file)
        .filter((from) =>
          from.startsWith('.') ? !join(dirname(file), from).startsWith(`${home}/`) : isService(from),
        )
        .map((from) => [file, from]);
    });
    expect(wrong).toEqual([]);
  });

  test('contracts run in a browser: zod, zod-openapi and uuid, nothing of Node', () => {
    const allowed = /^(\.|zod$|zod-openapi$|uuid$)/;
    const wrong = sources
      .filter((file) => file.startsWith('packages/contracts/'))
      .flatMap((file) =>
        importsOf(file)
          .filter((from) => !allowed.test(from))
          .map((from) => [file, from]),
      );
    expect(wrong).toEqual([]);
  });

  test('inside a service: routes, consumers and jobs lean on service, service on model and rules; rules do no I/O', () => {
    const wrong = sources
      .filter((file) => file.startsWith('services/'))
      .flatMap((file) => importsOf(file).map((from) => [file, from] as const))
      .filter(([file, from]) => {
        const [mine, theirs] = [roleOf(file), roleOf(from)];
        if (mine === 'rules' || mine === 'reader')
          return from.startsWith('node:') ? !from.startsWith('node:crypto') : !pure(from, theirs);
        if (mine === 'model')
          return theirs !== undefined && !['model', 'rules', 'data', 'texts'].includes(theirs);
        if (mine === 'service') return theirs === 'routes' || theirs === 'consumers';
        return false;
      });
    expect(wrong).toEqual([]);
  });

  test('rules, tables and texts import no kit, no driver and no model, but their types', () => {
    const wrong = sources
      .filter((file) => /\.(rules|data|texts)\.ts$/.test(file))
      .flatMap((file) => valuesOf(file).map((from) => [file, from] as const))
      .filter(([, from]) => from !== PURE_OF_THE_KIT)
      .filter(([, from]) => SIDE_EFFECTS.test(from) || roleOf(from) === 'model');
    expect(wrong).toEqual([]);
  });
});

const SIDE_EFFECTS = /^(@muster\/(service-kit|messaging)|mongoose|ioredis|bullmq|amqplib|express)(\/|$)/;
/** A decision of the kit's, without I/O. */
const PURE_OF_THE_KIT = '@muster/service-kit/public-address';
/** What a file imports beside types. */
const valuesOf = (file: string) =>
  [...read(file).matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'([^']+)'/gm)].map(
    (match) => match[1] ?? '',
  );
const isService = (from: string) =>
  SERVICES.some((name) => from === `@muster/${name}` || from.startsWith(`@muster/${name}/`));
const roleOf = (file: string) => ROLES.find((role) => file.endsWith(`.${role}.ts`));
/** Rules may import other rules, tables, texts, contracts, and types of anything. */
const pure = (from: string, role: string | undefined) =>
  !from.startsWith('.')
    ? !['mongoose', 'express', 'amqplib', 'ioredis'].includes(from)
    : ['rules', 'reader', 'model', 'variables', 'data', 'texts'].includes(role ?? '');

describe('files', () => {
  test('process.env is read in config.ts only', () => {
    const wrong = sources
      .filter((file) => !file.startsWith('packages/devstack/') && !file.startsWith('packages/testing/'))
      .filter((file) => basename(file) !== 'config.ts' && read(file).includes('process.env'));
    expect(wrong).toEqual([]);
  });

  test('in a service, what lies in a noun folder says its role in its name', () => {
    const nouns = sources.filter((file) => /^services\/[^/]+\/src\/[^/]+\//.test(file));
    expect(nouns.length).toBeGreaterThan(0);
    expect(nouns.filter((file) => roleOf(file) === undefined)).toEqual([]);
  });

  test('no room without a name of its own', () => {
    expect(files.filter((file) => NAMELESS.test(file))).toEqual([]);
  });

  test(`no file over ${MAX_LINES} lines`, () => {
    const long = files
      .map((file) => [file, read(file).split('\n').length] as const)
      .filter(([, lines]) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });
});

describe('the contract', () => {
  const declared = new Set(
    [...apis, ...platformApis('exercises')].flatMap((api) =>
      Object.values(api.endpoints).map(({ method, path }) => `${method} ${path}`),
    ),
  );

  test('every endpoint of the customer is declared, or its service is still to come', () => {
    const missing = CUSTOMER_ENDPOINTS.filter(({ method, path }) => !declared.has(`${method} ${path}`));
    const unexpected = missing.filter(({ arrives }) => arrives === undefined);
    process.stderr.write(`Endpoints still to come: ${missing.length} of ${CUSTOMER_ENDPOINTS.length}\n`);
    for (const { method, path, arrives } of missing)
      process.stderr.write(`  ${method} ${path} (with ${arrives})\n`);
    expect(unexpected).toEqual([]);
  });

  test('what is declared is no longer said to be still to come', () => {
    const stale = CUSTOMER_ENDPOINTS.filter(
      ({ method, path, arrives }) => arrives !== undefined && declared.has(`${method} ${path}`),
    );
    expect(stale).toEqual([]);
  });

  test('every declared endpoint stands in the OpenAPI document', () => {
    const document = openApiDocument(apis, { version: '0', serverUrl: '/' });
    for (const api of apis) {
      for (const { method, path, internal } of Object.values<Endpoint>(api.endpoints)) {
        if (internal) continue;
        expect(document.paths?.[path]).toHaveProperty(method.toLowerCase());
      }
    }
  });
});
