import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Client,
  intelScenarioDrafted,
  type ScenarioContent,
  scenarioContent,
  scenariosApi,
  sessionsApi,
} from '@muster/contracts';
import { DEMO_ORGANIZATION } from '@muster/service-kit';
import { eventually, problemOf, publishEvent, startTestService, type TestService } from '@muster/testing';
import { v7 } from 'uuid';
import { exercises } from '../src/service.ts';
import { scenarioUpload } from './fixtures.ts';

const ORG = DEMO_ORGANIZATION.id;
let service: TestService;
let scenarios: Client<typeof scenariosApi>;
beforeAll(async () => {
  service = await startTestService(exercises);
  scenarios = service.client(scenariosApi);
});
afterAll(async () => service.stop());

const written = (changes: Partial<ScenarioContent> = {}) =>
  scenarioContent.parse({ ...scenarioUpload(), ...changes });

/** Tells of a draft as intel would. @returns its id */
async function drafted(given: {
  filename: string;
  id?: string;
  scenario?: ScenarioContent;
  org?: string;
}): Promise<string> {
  const { id: draft_id = v7(), filename, scenario = written(), org = ORG } = given;
  await publishEvent(service.env.AMQP_URL ?? '', intelScenarioDrafted, {
    org,
    subject: draft_id,
    seq: 1,
    data: { draft_id, item_id: v7(), filename, scenario, source: 'intel', created_by: 'Head of IT' },
  });
  return draft_id;
}

const get = (filename: string) => scenarios.getScenario({ params: { filename } });
const read = async (filename: string) => (await get(filename)).body;
const drawn = async (q: string) =>
  (await scenarios.listScenarios({ query: { source: 'intel', q } })).body.items;

describe('a draft of intel', () => {
  test('stands in the list as a scenario from intel, and can be played', async () => {
    const filename = 'drawn-from-a-report.json';
    await drafted({ filename, scenario: written({ title: 'Drawn from a report' }) });
    const stored = await eventually(() => read(filename));
    expect(stored).toMatchObject({ filename, source: 'intel', created_by: 'Head of IT' });
    expect(await drawn('drawn from')).toHaveLength(1);
    const played = await service.client(sessionsApi).createSession({
      body: { scenario: filename, responses: [{ inject_id: 'I1', at_minutes: 5, actions: ['A1'] }] },
    });
    expect(played.body.scores?.overall).toBeGreaterThan(0);
  });

  test('that is told twice is one scenario', async () => {
    const filename = 'told-twice.json';
    const scenario = written({ title: 'Told twice' });
    const id = await drafted({ filename, scenario });
    await drafted({ filename, scenario, id });
    await drafted({ filename: 'told-after.json', scenario: written({ title: 'Told after' }) });
    await eventually(() => read('told-after.json'));
    expect((await drawn('told twice')).map((item) => item.filename)).toEqual([filename]);
  });

  test('takes the next free name where its own is held, also by a built-in scenario', async () => {
    await drafted({ filename: 'ransomware-hospital.json', scenario: written({ title: 'Third one' }) });
    await eventually(() => read('ransomware-hospital-2.json'));
    await drafted({ filename: 'ransomware-hospital.json', scenario: written({ title: 'Fourth one' }) });
    expect(await eventually(() => read('ransomware-hospital-3.json'))).toMatchObject({ title: 'Fourth one' });
    expect((await read('ransomware-hospital.json')).source).toBe('builtin');
    const longest = `${'a'.repeat(80)}.json`;
    await drafted({ filename: longest });
    await drafted({ filename: longest });
    await eventually(() => read(`${'a'.repeat(76)}-2.json`));
  });

  test('that does not hold together is refused, and those after it are taken', async () => {
    const [inject] = written().injects;
    if (!inject) throw new Error('no inject');
    const broken = written({ injects: [{ ...inject, objective_ids: ['O9'] }] });
    await drafted({ filename: 'broken-draft.json', scenario: broken });
    await drafted({ filename: 'after-the-broken.json' });
    await eventually(() => read('after-the-broken.json'));
    expect(await problemOf(get('broken-draft.json'))).toMatchObject({ status: 404 });
  });

  test('stays with its organization', async () => {
    const org = '01900000-0000-7000-8000-00000000000b';
    await drafted({ filename: 'of-another.json', org });
    const other = service.client(scenariosApi, service.tokens.sign({ org }));
    await eventually(() => other.getScenario({ params: { filename: 'of-another.json' } }));
    expect(await problemOf(get('of-another.json'))).toMatchObject({ status: 404 });
  });
});
