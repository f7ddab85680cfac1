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

type ListQuery = z.output<(typeof auditApi)['endpoints']['listAudit']['query']>;
type Told = CloudEvent<EventData<typeof identityChangeRecorded>>;

/** Adds what a service told to the audit log. */
export async function keepEntry(ctx: Ctx, { id, source, time, data }: Told): Promise<void> {
  const service = source.replace(/^\//, '');
  await auditEntries(ctx).insert({ _id: id, at: new Date(time), service, ...data });
}

/** One page of the organization's audit log, newest first. */
export async function listAudit(ctx: Ctx, query: ListQuery): Promise<List<AuditEntry>> {
  const { limit, cursor, action, actor, object, from, to } = query;
  const within = { ...(from && { $gte: new Date(from) }), ...(to && { $lt: new Date(to) }) };
  const filter = {
    ...(action && { action }),
    ...(actor && { 'actor.id': actor }),
    ...(object && { 'object.id': object }),
    ...((from || to) && { at: trusted(within) }),
  };
  const list = { name: 'audit', filter, query: { limit, cursor }, item: toEntry };
  return await listPage(ctx, auditEntries(ctx), list);
}

/** One entry of the organization's audit log. Raises `not-found`. */
export async function findEntry(ctx: Ctx, id: string): Promise<AuditDoc> {
  const found = await auditEntries(ctx).findOne({ _id: id });
  if (!found) throw new AppError('not-found', 'There is no entry with this id.');
  return found;
}
