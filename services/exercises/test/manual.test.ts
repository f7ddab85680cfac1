import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, manualsApi, scenariosApi } from '@muster/contracts';
import { problemOf, startTestService, type TestService } from '@muster/testing';
import { library } from '../src/scenarios/library.service.ts';
import { exercises } from '../src/service.ts';
import { scenarioUpload } from './fixtures.ts';

const SCENARIO = 'manual-laptop.json';
let service: TestService;
let manuals: Client<typeof manualsApi>;

beforeAll(async () => {
  service = await startTestService(exercises);
  manuals = service.client(manualsApi);
  await service.client(scenariosApi).createScenario({ body: scenarioUpload({ filename: SCENARIO }) });
});
afterAll(async () => service.stop());

const manualOf = async (filename: string) => (await manuals.getManual({ params: { filename } })).body;
/** As it stands in the HTML. */
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

describe('a situation manual', () => {
  test.each(library)(
    'of $filename tells players where it begins, and nothing that comes',
    async ({ filename, content }) => {
      const html = await manualOf(filename);
      for (const { name } of content.roles) expect(html).toContain(escaped(name));
      for (const { title } of content.objectives) expect(html).toContain(escaped(title));
      const opening = content.injects.find(({ description }) =>
        html.includes(escaped(description).slice(0, 60)),
      );
      expect(opening?.type).toBe('standard');
      for (const inject of content.injects) {
        if (inject === opening) continue;
        expect(html).not.toContain(escaped(inject.description).slice(0, 60));
        if (inject.title.includes(' ')) expect(html).not.toContain(`${escaped(inject.title)}<`);
      }
      const secrets = content.injects.flatMap(({ expected_actions, facilitator_notes }) => [
        ...expected_actions.map(({ text }) => text),
        ...(facilitator_notes === '' ? [] : [facilitator_notes.slice(0, 60)]),
      ]);
      for (const secret of secrets) expect(html).not.toContain(escaped(secret));
      for (const technique of content.threat.techniques) expect(html).not.toContain(technique);
      expect(html).toContain('Participant feedback form');
    },
  );

  test('comes as HTML and PDF, and in no other form', async () => {
    const address = `${service.url}/api/scenarios/${SCENARIO}/manual/`;
    const html = await service.fetch(address);
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const pdf = await service.fetch(`${address}?format=pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.headers.get('content-disposition')).toBe(
      'attachment; filename="situation-manual-manual-laptop.pdf"',
    );
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect((await service.fetch(address, { headers: { accept: 'application/json' } })).status).toBe(406);
    expect(await problemOf(manuals.getManual({ params: { filename: 'never-there.json' } }))).toMatchObject({
      status: 404,
    });
  });
});

describe('an exercise package', () => {
  test('carries the whole exercise to another organization', async () => {
    const { body: packed } = await manuals.getPackage({ params: { filename: SCENARIO } });
    const token = service.tokens.sign({ org: '01900000-0000-7000-8000-00000000000b' });
    const other = service.client(manualsApi, token);
    const imported = await other.importPackage({ body: packed });
    expect(imported.status).toBe(201);
    expect(imported.headers.get('location')).toBe(`/${SCENARIO}`);
    expect(imported.body).toMatchObject({ source: 'upload', content_hash: packed.content_hash });
    expect(imported.body).toMatchObject(scenarioUpload({ filename: SCENARIO }) as object);
    expect(await problemOf(other.importPackage({ body: packed }))).toMatchObject({ status: 409 });
    const renamed = await other.importPackage({ body: packed, query: { filename: 'another-name.json' } });
    expect(renamed.body.filename).toBe('another-name.json');
  });

  test('that was changed, is none, or breaks a reference is refused', async () => {
    const { body: packed } = await manuals.getPackage({ params: { filename: SCENARIO } });
    const pathsOf = async (body: Record<string, unknown>) => {
      const { status, problem } = await problemOf(manuals.importPackage({ body }));
      expect(status).toBe(422);
      return problem.errors?.map(({ path }) => path);
    };
    expect(await pathsOf({ ...packed, scenario: { ...packed.scenario, title: 'Another' } })).toEqual([
      '/content_hash',
    ]);
    expect(await pathsOf({ ...packed, format: 'something' })).toEqual(['/format']);
    expect(await pathsOf({ ...packed, version: 2 })).toEqual(['/version']);
    expect(await pathsOf({})).toEqual(['/format']);
  });

  test('is for facilitators', async () => {
    const member = service.client(manualsApi, service.tokens.sign({ role: 'member' }));
    const params = { filename: SCENARIO };
    expect(await problemOf(member.getPackage({ params }))).toMatchObject({ status: 403 });
    expect(await problemOf(member.importPackage({ body: {} }))).toMatchObject({ status: 403 });
    expect((await member.getManual({ params })).status).toBe(200);
  });
});
