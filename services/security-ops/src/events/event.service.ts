import {
  type EventStatus,
  type EventSummary,
  eventMoved,
  type eventsApi,
  type List,
  type SecurityEvent,
} from '@muster/contracts';
import { AppError, type Ctx } from '@muster/service-kit';
import type { z } from 'zod';
import { latestTriage, latestTriages } from '../triage/latest.service.ts';
import { toTriage } from '../triage/triage.model.ts';
import { stateOf } from './batch.rules.ts';
import { type EventDoc, events, toEvent, toSummary } from './event.model.ts';
import type { EventQuery } from './search.model.ts';
import { countFound, findAfter, type Search, searchFor } from './search.service.ts';
import { movesFrom } from './status.rules.ts';
import { count, tallied } from './tally.service.ts';

type ListQuery = z.output<(typeof eventsApi)['endpoints']['listEvents']['query']>;

/** One page of the organization's events: the latest received first, or of a time the latest that happened. */
export async function listEvents(ctx: Ctx, query: ListQuery): Promise<List<EventSummary>> {
  const { limit, cursor, ...wanted } = query;
  const scope = `${ctx.org} events ${JSON.stringify(wanted)}`;
  const position = cursor === undefined ? undefined : ctx.cursors.decode(scope, cursor);
  const search = await searchFor(ctx, wanted);
  if (!search) return { items: [], next_cursor: null, total: 0 };
  const { rows, next } = await findAfter(ctx, search, position?.after[0], limit);
  const total = position?.total ?? (await totalOf(ctx, wanted, search));
  const triages = await latestTriages(ctx, rows);
  return {
    items: rows.map((doc) => toSummary(doc, triages.get(doc.group_id))),
    next_cursor: next === null ? null : ctx.cursors.encode(scope, { after: [next], total }),
    total,
  };
}

/** Counts by status and severity are kept; what else is wanted is counted. */
async function totalOf(ctx: Ctx, wanted: EventQuery, search: Search): Promise<number> {
  const { severity, status, ...others } = wanted;
  const byState = Object.values(others).every((value) => value === undefined);
  if (byState) return await tallied(ctx, { severity, statuses: status && [status] });
  return await countFound(ctx, search);
}

/** An event of the caller's organization. Raises `not-found`. */
export async function findEvent(ctx: Ctx, id: string): Promise<EventDoc> {
  const found = await events(ctx).findOne({ _id: id });
  if (!found) throw new AppError('not-found', 'There is no event with this id.');
  return found;
}

/** An event with what was said of it. */
export async function describedEvent(ctx: Ctx, doc: EventDoc): Promise<SecurityEvent> {
  const found = await latestTriage(ctx, doc.group_id);
  return toEvent(doc, found && toTriage(found, doc._id));
}

/** Moves the status of an event. Raises `not-found`, `conflict` for a move that is none, and what `requireMatch` raises. */
export async function moveEvent(
  ctx: Ctx,
  id: string,
  status: EventStatus,
  requireMatch: (etag: string) => void,
): Promise<EventDoc> {
  const doc = await findEvent(ctx, id);
  requireMatch(versionOf(doc));
  if (doc.status === status) return doc;
  if (!movesFrom(doc.status).includes(status))
    throw new AppError(
      'conflict',
      `An event that is ${doc.status} cannot become ${status}, only ${movesFrom(doc.status).join(' or ')}.`,
    );
  const moved = { ...doc, status, version: doc.version + 1 };
  await events(ctx).updateOne({ _id: id }, { $set: { status, version: moved.version } });
  await count(
    ctx,
    doc.expires_at,
    new Map([
      [stateOf(doc), -1],
      [stateOf(moved), 1],
    ]),
  );
  await ctx.emit(eventMoved, {
    subject: id,
    seq: moved.version,
    data: {
      event_id: id,
      severity: doc.severity,
      from: doc.status,
      to: status,
      moved_at: new Date().toISOString(),
    },
  });
  return moved;
}

/** What an event's entity tag says. */
export const versionOf = ({ version }: EventDoc) => String(version);
