import {
  type Endpoint,
  type Job,
  PROBLEMS,
  type ProblemCode,
  type RouteAnswer,
  type RouteMatch,
} from '@muster/contracts';
import type { Request } from 'express';
import type { Ctx, Runtime } from '../context.ts';
import type { KeyRing } from '../crypto/envelope.ts';
import { AppError } from '../errors.ts';
import type { CommandAudit } from './audit.ts';
import { callerOf } from './caller.ts';
import type { Handler } from './handlers.ts';
import { idempotencyKeyOf } from './headers.ts';
import { claimKey, fingerprintOf, type StoredReply } from './idempotency.ts';
import type { Outgoing, Queued } from './reply.ts';

export interface Command {
  endpoint: Endpoint;
  request: Request;
  body: Buffer;
  /** How long the caller waits for queued work. */
  waitMs: number;
  /** Takes a place among what lasts; false where there is none. */
  last(): boolean;
  run(ctx: Ctx): ReturnType<Handler<Endpoint>>;
  audit: CommandAudit | null;
}

/** What a command needs of the service. */
export interface CommandParts {
  find(method: string, path: string): RouteAnswer;
  handlerOf(match: RouteMatch): Handler<Endpoint>;
  runtime: Runtime;
  /** Seals the answers that are kept for repeats. */
  replies: KeyRing;
  /** Raises for an answer that is not as its endpoint declares; absent in production. */
  checkAnswer?: ((endpoint: Endpoint, reply: StoredReply) => Promise<void>) | undefined;
}

/** Runs an endpoint's handler. Reads run as they are; a command is one transaction, its idempotency key included. */
export async function perform(ctx: Ctx, parts: CommandParts, command: Command): Promise<Outgoing> {
  const { endpoint, request } = command;
  if (endpoint.method === 'GET')
    return { ...(await checked(parts, endpoint, await command.run(ctx))), replayed: false };
  const key = endpoint.method === 'POST' ? idempotencyKeyOf(request.headers['idempotency-key']) : undefined;
  const done = key === undefined ? await once(ctx, parts, command) : await keyed(ctx, parts, command, key);
  if (done.jobId === undefined) return done;
  const reply = await finished(ctx, parts, command, done.jobId);
  await parts.checkAnswer?.(endpoint, reply);
  return { ...reply, replayed: done.replayed };
}

async function once(ctx: Ctx, parts: CommandParts, command: Command): Promise<Outgoing> {
  return { ...(await ctx.inTransaction((inside) => told(inside, parts, command))), replayed: false };
}

/** Runs the handler, and tells the audit log in its transaction. */
async function told(ctx: Ctx, parts: CommandParts, { endpoint, run, audit }: Command): Promise<StoredReply> {
  // It may run again.
  if (ctx.command) ctx.command.told = false;
  const reply = await checked(parts, endpoint, await run(ctx));
  await audit?.done(ctx, reply);
  return reply;
}

async function keyed(ctx: Ctx, parts: CommandParts, command: Command, key: string): Promise<Outgoing> {
  const { request, body } = command;
  const fingerprint = fingerprintOf(request.method, request.originalUrl, body);
  const claimed = await claimKey(ctx, parts.replies, { key, fingerprint });
  if (!('finish' in claimed)) return { ...claimed, replayed: true };
  try {
    return await ctx.inTransaction(async (inside) => {
      const reply = await told(inside, parts, command);
      await claimed.finish(inside, reply);
      return { ...reply, replayed: false };
    });
  } catch (error) {
    await claimed.release().catch(() => undefined);
    throw error;
  }
}

/** What a handler answers, checked before its transaction commits. What a job answers is checked when it is there. */
async function checked(
  { checkAnswer }: CommandParts,
  endpoint: Endpoint,
  reply: Awaited<ReturnType<Command['run']>>,
): Promise<StoredReply> {
  const answered = stored(reply);
  if (answered.jobId === undefined) await checkAnswer?.(endpoint, answered);
  return answered;
}

/** What a handler answers as it is kept for repeats. */
function stored(reply: Awaited<ReturnType<Command['run']>>): StoredReply {
  if (isQueued(reply)) return { status: 202, headers: {}, body: null, jobId: reply.jobId };
  return { status: reply.status, headers: reply.headers ?? {}, body: reply.body ?? null };
}

const isQueued = (reply: object): reply is Queued => 'jobId' in reply;

/** The finished resource of a job, read at the address its result names, or the job while it takes longer. */
async function finished(
  ctx: Ctx,
  parts: CommandParts,
  command: Command,
  jobId: string,
): Promise<StoredReply> {
  // The work is under way in any case: whoever may not wait is told of the job at once.
  const waitMs = command.waitMs > 0 && command.last() ? command.waitMs : 0;
  const job = await parts.runtime.messaging.jobs.wait(ctx.org, jobId, waitMs, ctx.signal);
  const location = `/api/jobs/${jobId}`;
  if (job.status === 'failed' || job.status === 'cancelled') throw failure(job);
  // It takes longer, or it is done and left nothing to read: what it was about is gone.
  if (job.result === null) return { status: 202, headers: { location }, body: job };
  const { href, created = true } = job.result;
  const found = parts.find('GET', href);
  if (found.kind !== 'match')
    throw new Error(`The job ${job.kind} says its result is at ${href}: there is nothing`);
  const { endpoint } = found.match.route;
  const input = {
    params: endpoint.params?.parse(found.match.params),
    query: endpoint.query?.parse({}),
    body: undefined,
    requireMatch: () => undefined,
    caller: callerOf(command.request),
  };
  const reply = stored(await parts.handlerOf(found.match)(ctx, input as never));
  return {
    ...reply,
    status: command.endpoint.responses[201] && created ? 201 : 200,
    headers: { ...reply.headers, location: href },
  };
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);

/** What ended the job ends the request that waited for it. */
function failure(job: Job): AppError {
  if (job.status === 'cancelled')
    return new AppError('conflict', 'The job was cancelled.', { extra: { job } });
  const { type = '', detail = 'The job failed.', errors } = job.error ?? {};
  const code = type.replace('urn:muster:problem:', '');
  return new AppError(isProblemCode(code) ? code : 'internal', detail, { errors, extra: { job } });
}
