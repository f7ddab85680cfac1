import type {
  AuditEntry,
  auditApi,
  CloudEvent,
  EventData,
  identityChangeRecorded,
  List,
} from '@muster/contracts';
import { AppError, type Ctx, listPage, trusted } from '@muster/service-kit';
import type { z } from 'zod';
import { type AuditDoc, auditEntries, toEntry } from './audit.model.ts';
import { searchWords, wordsOf } from './audit.rules.ts';

type Endpoints = (typeof auditApi)['endpoints'];
type ListQuery = z.output<Endpoints['listAudit']['query']>;
type Filters = z.output<Endpoints['exportAudit']['query']>;
type ChangeEvent = CloudEvent<EventData<typeof identityChangeRecorded>>;

const EXPORT_PAGE = 500;

/** Adds what services told to the audit log. */
export async function keepEntries(ctx: Ctx, records: readonly ChangeEvent[]): Promise<void> {
  await auditEntries(ctx).insertMany(
    records.map(({ id, source, time, data }) => {
      const entry = { service: source.replace(/^\//, ''), ...data };
      return { _id: id, at: new Date(time), ...entry, words: searchWords(entry) };
    }),
  );
}

/** One page of the organization's audit log, newest first. */
export async function listAudit(
  ctx: Ctx,
  { limit, cursor, ...filters }: ListQuery,
): Promise<List<AuditEntry>> {
  const list = { name: 'audit', filter: filterOf(filters), query: { limit, cursor }, item: toEntry };
  return await listPage(ctx, auditEntries(ctx), list);
}

/** The organization's audit log, newest first, an entry of JSON a line. It holds no more than a page of it. */
export async function* exportAudit(ctx: Ctx, filters: Filters): AsyncIterable<string> {
  const filter = filterOf(filters);
  let below: string | undefined;
  do {
    const page = below === undefined ? filter : { ...filter, _id: trusted({ $lt: below }) };
    const rows = await auditEntries(ctx).find(page, { sort: { _id: -1 }, limit: EXPORT_PAGE });
    for (const row of rows) yield `${JSON.stringify(toEntry(row))}\n`;
    below = rows.length < EXPORT_PAGE ? undefined : rows.at(-1)?._id;
  } while (below !== undefined);
}

function filterOf({ action, actor, service, object, result, from, to, q }: Filters) {
  const within = { ...(from && { $gte: new Date(from) }), ...(to && { $lt: new Date(to) }) };
  return {
    ...(action && { action }),
    ...(actor && { 'actor.id': actor }),
    ...(service && { service }),
    ...(object && { 'object.id': object }),
    ...(result && { result }),
    ...((from || to) && { at: trusted(within) }),
    ...(q && { words: trusted({ $all: wordsOf(q) }) }),
  };
}

/** One entry of the organization's audit log. Raises `not-found`. */
export async function findEntry(ctx: Ctx, id: string): Promise<AuditDoc> {
  const found = await auditEntries(ctx).findOne({ _id: id });
  if (!found) throw new AppError('not-found', 'There is no entry with this id.');
  return found;
}
