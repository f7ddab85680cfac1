import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Client,
  draftsApi,
  intelItemsApi,
  type OrganizationProfile,
  organizationProfile,
  profileUpdated,
  type ScenarioDraft,
  scenarioProblems,
  scenarioPublished,
  scenarioUpload,
} from '@muster/contracts';
import { eventually, problemOf, publishEvent, startTestService, type TestService } from '@muster/testing';
import { v7 } from 'uuid';
import { profileOf } from '../src/profiles/profile.service.ts';
import { intel } from '../src/service.ts';

const REPORT = `Akira ransomware at two hospitals

The Akira ransomware group exploited CVE-2024-40766 in VPN gateways for initial access (T1190).
They used valid accounts (T1078), deleted shadow copies (T1490) and encrypted the file servers (T1486).
Before that they exfiltrated patient records with Rclone to a cloud storage (T1567.002).`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService(intel);
});
afterAll(async () => service?.stop());

/** An organization of its own, so that profiles do not meet. */
interface Table {
  org: string;
  drafts: Client<typeof draftsApi>;
  item: Awaited<ReturnType<Client<typeof intelItemsApi>['getIntel']>>['body'];
}

async function table(): Promise<Table> {
  const org = v7();
  const token = service.tokens.sign({ org });
  const items = service.client(intelItemsApi, token);
  const made = await items.ingestIntel({ body: { document: REPORT, media_type: 'text/plain' } });
  if (made.body === null || !('techniques' in made.body)) throw new Error('not read in time');
  return { org, drafts: service.client(draftsApi, token), item: made.body };
}

async function generate({ drafts, item }: Table, body = {}): Promise<ScenarioDraft> {
  const made = await drafts.generateScenario({ params: { id: item.id }, body });
  expect(made.status).toBe(201);
  if (!('scenario' in made.body)) throw new Error('not written in time');
  return made.body;
}

const amqpUrl = () => service.env.AMQP_URL ?? '';

async function profiled(org: string, changes: Partial<OrganizationProfile>): Promise<void> {
  const example = organizationProfile.parse(organizationProfile.meta()?.example);
  const data = { ...example, ...changes };
  await publishEvent(amqpUrl(), profileUpdated, { org, subject: org, seq: data.version, data });
}

function known(org: string) {
  return profileOf(service.forOrganization(org));
}

const usedIn = ({ scenario }: ScenarioDraft) => [
  ...new Set([...scenario.threat.techniques, ...scenario.injects.flatMap(({ techniques }) => techniques)]),
];

describe('a scenario from an item', () => {
  test('passes as an upload, and every technique in it comes from the item', async () => {
    const hospital = await table();
    const draft = await generate(hospital);
    expect(draft).toMatchObject({
      item_id: hospital.item.id,
      status: 'drafted',
      fitted: false,
      stored_at: null,
      engine: { kind: 'rules', degraded: false },
      scenario: { source: 'intel', filename: expect.stringMatching(/^[a-z0-9-]+-[0-9a-f]{8}\.json$/) },
    });
    expect(scenarioUpload.safeParse(draft.scenario).error).toBeUndefined();
    expect(scenarioProblems(draft.scenario)).toEqual([]);
    const shown = hospital.item.techniques.map(({ id }) => id);
    expect(usedIn(draft).length).toBeGreaterThan(2);
    expect(usedIn(draft).filter((id) => !shown.includes(id))).toEqual([]);
  });

  test('is as wished', async () => {
    const wish = { difficulty: 'advanced' as const, audience: ['legal' as const], duration_minutes: 60 };
    expect((await generate(await table(), wish)).scenario).toMatchObject(wish);
  });

  test('fits the newest profile that the organization has told of, and no other organization', async () => {
    const [bank, other] = [await table(), await table()];
    const jewel = (name: string) => [{ name, kind: 'system', criticality: 5, owner_role: null }];
    await profiled(bank.org, { industry: 'banking', version: 7, crown_jewels: jewel('Ledger of Loans') });
    await eventually(async () => expect((await known(bank.org))?.version).toBe(7));
    await profiled(bank.org, { version: 6, crown_jewels: jewel('Old Ledger') });
    await profiled(bank.org, { version: 8, industry: 'banking', crown_jewels: jewel('New Ledger') });
    await eventually(async () => expect((await known(bank.org))?.version).toBe(8));
    const draft = await generate(bank);
    expect(draft).toMatchObject({ fitted: true, scenario: { industries: ['banking'] } });
    expect(JSON.stringify(draft.scenario)).toContain('New Ledger');
    const neutral = await generate(other);
    expect(neutral.fitted).toBe(false);
    expect(JSON.stringify(neutral.scenario)).not.toContain('Ledger');
  });

  test('is told of once, and marked when the library has taken it, under the name it has there', async () => {
    const hospital = await table();
    const draft = await generate(hospital);
    const told = await service.runtime.connection
      .collection('outbox')
      .countDocuments({ type: 'intel.scenario.drafted.v1', aggregate: new RegExp(draft.id) });
    expect(told).toBe(1);
    const { filename, title, category, difficulty, industries } = draft.scenario;
    const published = (subject: string, name: string) =>
      publishEvent(amqpUrl(), scenarioPublished, {
        org: hospital.org,
        subject,
        seq: 1,
        data: {
          filename: name,
          title,
          category,
          difficulty,
          industries,
          techniques: [],
          capabilities: [],
          controls: [],
          source: 'intel',
          content_hash: 'sha256:0',
        },
      });
    await published(v7(), 'of-somebody-else.json');
    const free = filename.replace('.json', '-2.json');
    await published(draft.id, free);
    const { body } = await eventually(async () => {
      const read = await hospital.drafts.getDraft({ params: { id: draft.id } });
      expect(read.body.status).toBe('stored');
      return read;
    });
    expect(body).toMatchObject({ scenario: { filename: free }, stored_at: expect.any(String) });
  });

  test('is listed with those of its item, and stays with its organization', async () => {
    const [one, other] = [await table(), await table()];
    const [first, second] = [await generate(one), await generate(one, { difficulty: 'introductory' })];
    expect(first.scenario.filename).not.toBe(second.scenario.filename);
    const { body } = await one.drafts.listDrafts({ query: { item_id: one.item.id } });
    expect(body.items.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await other.drafts.listDrafts()).body.total).toBe(0);
    expect(await problemOf(other.drafts.getDraft({ params: { id: first.id } }))).toMatchObject({
      status: 404,
    });
    const foreign = { params: { id: one.item.id }, body: {} };
    expect(await problemOf(other.drafts.generateScenario(foreign))).toMatchObject({ status: 404 });
    const { org, item } = one;
    const member = service.client(draftsApi, service.tokens.sign({ org, role: 'member' }));
    const refused = await problemOf(member.generateScenario({ params: { id: item.id }, body: {} }));
    expect(refused.status).toBe(403);
  });

  test('may not be wished for as it cannot be', async () => {
    const { drafts, item } = await table();
    const wishes = [{ difficulty: 'easy' }, { audience: [] }, { duration_minutes: 0 }, { title: 'Mine' }];
    for (const body of wishes) {
      const call = drafts.generateScenario({ params: { id: item.id }, body: body as never });
      expect([body, (await problemOf(call)).status]).toEqual([body, 422]);
    }
  });
});
