import { createAi } from '@muster/ai';
import { DAY_MS, type Engine, eventTriaged, type Triage, type TriageContent } from '@muster/contracts';
import { AppError, asking, type Ctx } from '@muster/service-kit';
import { v7 } from 'uuid';
import { digestOf } from '../events/batch.rules.ts';
import { type EventDoc, events } from '../events/event.model.ts';
import { findEvent } from '../events/event.service.ts';
import { latestTriage } from './latest.service.ts';
import { similarTo } from './similar.service.ts';
import { markTriaged } from './status.service.ts';
import { type TriageDoc, toTriage, triages } from './triage.model.ts';

const VALID_MS = DAY_MS;
/** How far a storm is counted for those who are told of it. */
const MOST_COUNTED = 100_000;
const askAi = asking(createAi);

/** The triage of an event's group. Raises `not-found`, also before there is one. */
export async function findTriage(ctx: Ctx, event_id: string): Promise<Triage> {
  const event = await findEvent(ctx, event_id);
  const found = await latestTriage(ctx, event.group_id);
  if (!found) throw new AppError('not-found', 'This event has not been triaged yet.');
  return toTriage(found, event_id);
}

/** The triage that an event's group has, where it is still valid, for its new events too; else null. Raises `not-found`. */
export async function validTriage(ctx: Ctx, event_id: string): Promise<Triage | null> {
  const event = await findEvent(ctx, event_id);
  const known = await latestTriage(ctx, event.group_id);
  if (!known || !isValid(known)) return null;
  await markTriaged(ctx, event.group_id);
  return toTriage(known, event_id);
}

const isValid = ({ at }: TriageDoc) => Date.now() - at.getTime() < VALID_MS;

/**
 * Triages an event's group by the organization's engine, unless it has a triage that is still valid, and moves its new
 * events to triaged. May be repeated.
 */
export async function triageGroup(ctx: Ctx, event_id: string, job_id: string): Promise<void> {
  const event = await findEvent(ctx, event_id);
  const known = await latestTriage(ctx, event.group_id);
  if (!known || !isValid(known)) await judge(ctx, event, job_id);
  while (await ctx.inTransaction((inside) => markTriaged(inside, event.group_id)));
}

async function judge(ctx: Ctx, event: EventDoc, job_id: string): Promise<void> {
  const similar = await similarTo(ctx, event);
  const size = await events(ctx).count({ group_id: event.group_id }, { limit: MOST_COUNTED });
  const input = { event: asRead(event, size), similar };
  const { result, engine } = await askAi(ctx, 'triage-event', (ai, options) =>
    ai.triageEvent(input, options),
  );
  await ctx.inTransaction(async (inside) => {
    const known = await latestTriage(inside, event.group_id);
    if (known && isValid(known)) return;
    const version = 1 + (known?.version ?? 0);
    await store(inside, event, { version, size, engine, content: result, job_id });
  });
}

/** An event as the engines read it. */
function asRead({ _id: id, occurred_at, raw, ...event }: EventDoc, occurrences: number) {
  const sent: unknown = raw === null ? undefined : JSON.parse(raw);
  return { ...event, id, occurred_at: occurred_at.toISOString(), raw: sent, occurrences };
}

async function store(
  ctx: Ctx,
  event: EventDoc,
  made: { version: number; size: number; engine: Engine; content: TriageContent; job_id: string },
): Promise<void> {
  const { _id: event_id, group_id, expires_at } = event;
  const at = new Date();
  await triages(ctx).insert({ _id: v7(), group_id, event_id, at, expires_at, ...made });
  const { verdict, priority, severity, confidence, techniques, training_value } = made.content;
  await ctx.emit(eventTriaged, {
    subject: group_id,
    seq: made.version,
    data: {
      ...digestOf(event),
      event_id,
      group: { id: group_id, size: made.size },
      engine: made.engine,
      verdict,
      priority,
      severity,
      confidence,
      techniques,
      training_value,
      triaged_at: at.toISOString(),
    },
  });
}
