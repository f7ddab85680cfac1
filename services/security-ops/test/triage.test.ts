import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, eventsApi, eventTriaged, jobsApi, triageApi } from '@muster/contracts';
import { startService } from '@muster/service-kit';
import { eventually, problemOf, startTestService, type TestService } from '@muster/testing';
import { v7 } from 'uuid';
import { securityOps } from '../src/service.ts';
import { asLines, deliver, deliverBytes, nativeEvent, told } from './deliveries.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService(securityOps);
});
afterAll(async () => service.stop());

interface Organization {
  id: string;
  events: Client<typeof eventsApi>;
  triages: Client<typeof triageApi>;
}

function organization(): Organization {
  const id = v7();
  const token = service.tokens.sign({ org: id });
  return { id, events: service.client(eventsApi, token), triages: service.client(triageApi, token) };
}

const RANSOM = {
  title: 'Mass file encryption on FS-02',
  description:
    'Ransomware: more than 500 files were encrypted and renamed to .locked, a ransom note was dropped.',
  severity: 'critical',
  techniques: ['T1486'],
  assets: [{ name: 'FS-02', kind: 'host' }],
  indicators: ['198.51.100.44'],
} as const;
const ransom = (external_id: string) => nativeEvent({ ...structuredClone(RANSOM), external_id } as never);

describe('triage', () => {
  test('judges an event by what it says, and tells it once', async () => {
    const { id: org, events, triages } = organization();
    const event = await deliver(events, ransom('t-1'));
    const params = { id: event.id };
    expect((await problemOf(triages.getTriage({ params }))).status).toBe(404);

    const made = await triages.triageEvent({ params });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      event_id: event.id,
      engine: { kind: 'rules', degraded: false },
      verdict: 'true_positive',
      priority: 'P1',
      techniques: ['T1486'],
      similar_events: [],
      group: { id: event.group_id, size: 1 },
    });
    const again = await triages.triageEvent({ params });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(made.body);
    expect((await triages.getTriage({ params })).body).toEqual(made.body);

    const { body: after, headers } = await events.getEvent({ params });
    expect(after).toMatchObject({ status: 'triaged', triage: made.body });
    expect(headers.get('etag')).toBe('"2"');
    expect((await events.listEvents({ query: { status: 'triaged' } })).body.items).toMatchObject([
      { id: event.id, triage: { verdict: 'true_positive', priority: 'P1' } },
    ]);
    expect(await told(service, org, eventTriaged)).toMatchObject([
      {
        event_id: event.id,
        group: { size: 1 },
        verdict: 'true_positive',
        severity: 'critical',
        asset_kinds: ['host'],
        engine: { kind: 'rules' },
      },
    ]);
  });

  test('knows earlier events by what they share, the nearest first', async () => {
    const { events, triages } = organization();
    const same = await deliver(
      events,
      nativeEvent({
        title: 'Login from a rare place',
        external_id: 's-1',
        techniques: [],
        assets: [{ name: 'FS-02' }],
        indicators: ['198.51.100[.]44'],
      }),
    );
    const host = await deliver(
      events,
      nativeEvent({
        title: 'Disk is full',
        external_id: 's-2',
        techniques: [],
        assets: [{ name: 'fs-02.example.org' }],
      }),
    );
    await deliver(
      events,
      nativeEvent({
        title: 'Mail was delayed',
        external_id: 's-3',
        techniques: [],
        assets: [{ name: 'MX-1' }],
      }),
    );
    const event = await deliver(events, ransom('s-4'));
    const { body } = await triages.triageEvent({ params: { id: event.id } });
    expect(body).toMatchObject({ similar_events: [same.id, host.id] });
  });

  test('judges a storm of like events as one', async () => {
    const { id: org, events, triages } = organization();
    const storm = Array.from({ length: 1_500 }, (_, at) =>
      nativeEvent({
        title: `Beacon number ${at} from WS-${at % 90} to 203.0.113.${at % 250}`,
        external_id: `b-${at}`,
      }),
    );
    const other = nativeEvent({ title: 'Password spraying', external_id: 'o-1', techniques: ['T1110.003'] });
    const { ids } = await deliverBytes(events, asLines([...storm, other]));
    const [first = '', second = ''] = ids;
    const made = await triages.triageEvent({ params: { id: first } });
    expect(made.body).toMatchObject({ group: { size: 1_500 } });
    const answered = await triages.triageEvent({ params: { id: second } });
    expect(answered.status).toBe(200);
    expect(answered.body).toEqual({ ...made.body, event_id: second });

    const total = async (status: 'new' | 'triaged') =>
      (await events.listEvents({ query: { limit: 1, status } })).body.total;
    expect(await total('triaged')).toBe(1_500);
    expect(await total('new')).toBe(1);
    const [triaged, ...more] = await told(service, org, eventTriaged);
    expect(more).toEqual([]);
    expect(triaged?.group.size).toBe(1_500);

    await deliver(
      events,
      nativeEvent({ title: 'Beacon number 7 from WS-7 to 203.0.113.7', external_id: 'late' }),
    );
    expect(await total('new')).toBe(2);
    await triages.triageEvent({ params: { id: second } });
    expect(await total('new')).toBe(1);
  });

  test('of one group asked for many times at once is made once', async () => {
    const { id: org, events, triages } = organization();
    const { ids } = await deliverBytes(events, asLines([ransom('m-1'), ransom('m-2'), ransom('m-3')]));
    const answers = await Promise.all(ids.map((id) => triages.triageEvent({ params: { id } })));
    expect(new Set(answers.map(({ body }) => 'at' in body && body.at)).size).toBe(1);
    expect((await told(service, org, eventTriaged)).length).toBe(1);
  });

  test('leaves alone what people have moved', async () => {
    const { events, triages } = organization();
    const { ids } = await deliverBytes(events, asLines([ransom('p-1'), ransom('p-2')]));
    const [first = '', second = ''] = ids;
    await events.updateEvent({ params: { id: first }, body: { status: 'in_progress' } });
    await triages.triageEvent({ params: { id: second } });
    expect((await events.getEvent({ params: { id: first } })).body).toMatchObject({
      status: 'in_progress',
      triage: { verdict: 'true_positive' },
    });
  });

  test('is work for a facilitator, and of another organization there is nothing to triage', async () => {
    const { id: org, events } = organization();
    const { id } = await deliver(events, ransom('r-1'));
    const member = service.client(triageApi, service.tokens.sign({ org, role: 'member' }));
    expect((await problemOf(member.triageEvent({ params: { id } }))).status).toBe(403);
    const { triages } = organization();
    expect((await problemOf(triages.triageEvent({ params: { id } }))).status).toBe(404);
    expect((await problemOf(triages.getTriage({ params: { id } }))).status).toBe(404);
  });

  test('that was asked of a process that stops is done by another', async () => {
    const { id: org, events } = organization();
    const { id } = await deliver(events, ransom('stop-1'));
    const api = await startService(securityOps, { ...service.env, ROLE: 'api', SERVICE_PORT: '0' });
    const token = service.tokens.sign({ org });
    const headers = { authorization: `Bearer ${token}`, prefer: 'respond-async' };
    const asked = await fetch(`${api.url}/api/events/${id}/triage/`, { method: 'POST', headers });
    expect(asked.status).toBe(202);
    await api.stop();
    const job = asked.headers.get('location')?.split('/').at(-1) ?? '';
    await eventually(async () => {
      const { body } = await service.client(jobsApi('security-ops'), token).getJob({ params: { id: job } });
      expect(body.status).toBe('succeeded');
    });
    expect((await events.getEvent({ params: { id } })).body.status).toBe('triaged');
  });
});
