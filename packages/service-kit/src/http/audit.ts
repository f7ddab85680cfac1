import { changeRecordedBy, type EventInput, PROBLEMS, type RouteMatch } from '@muster/contracts';
import { newEvent } from '@muster/messaging';
import type { Request } from 'express';
import { v7 } from 'uuid';
import type { Actor } from '../auth/actor.ts';
import { type CommandUnderWay, type Ctx, type Runtime, transaction } from '../context.ts';
import { AppError } from '../errors.ts';
import { currentTrace } from '../telemetry/trace.ts';
import { addressOf } from './caller.ts';
import type { StoredReply } from './idempotency.ts';

const REPEAT_MS = 60_000;
const MOST_WAITING = 10_000;

type Entry = EventInput<ReturnType<typeof changeRecordedBy>>;

/** What the audit log is told of one command: any method but GET, by a person or a token. */
export interface CommandAudit {
  underWay: CommandUnderWay;
  /** Tells that it was done, in its own transaction, unless a use case has told more. */
  done(ctx: Ctx, reply: StoredReply): Promise<void>;
  /** Tells why it was not, in a transaction that nobody waits for. */
  refused(actor: Actor, error: unknown): void;
}

/**
 * Tells the audit log of a service's commands. A refusal is told at once; the same one again within a minute is counted,
 * and told once more at its end, so that nobody fills the log by knocking.
 */
export function commandAudits(runtime: Runtime) {
  const declaration = changeRecordedBy(runtime.service);
  const waiting = new Map<string, { entry: Entry; org: string; times: number; timer: NodeJS.Timeout }>();

  async function tell(org: string, entry: Entry): Promise<void> {
    const event = newEvent(declaration, { org, subject: v7(), seq: 1, data: entry });
    try {
      await transaction(runtime, (session) => runtime.messaging.emit(session, [event]));
    } catch (err) {
      runtime.log.warn({ err }, 'a refusal could not be told to the audit log');
    }
  }

  function tellRefusal(org: string, entry: Entry): void {
    const key = JSON.stringify([org, entry.actor.id, entry.command, entry.problem]);
    const repeated = waiting.get(key);
    if (repeated) {
      repeated.times += 1;
      return;
    }
    if (waiting.size >= MOST_WAITING) return;
    void tell(org, entry);
    const timer = setTimeout(() => void settle(key), REPEAT_MS).unref();
    waiting.set(key, { entry, org, times: 0, timer });
  }

  async function settle(key: string): Promise<void> {
    const repeated = waiting.get(key);
    waiting.delete(key);
    if (!repeated) return;
    clearTimeout(repeated.timer);
    if (repeated.times > 0) await tell(repeated.org, { ...repeated.entry, times: repeated.times });
  }

  return {
    /** What is told of a request, or null for one that only reads or needs no token. */
    of(match: RouteMatch, request: Request): CommandAudit | null {
      const { endpoint, tag, name } = match.route;
      if (endpoint.method === 'GET' || endpoint.role === 'public') return null;
      const underWay = { name: `${endpoint.method} ${endpoint.path}`, told: false };
      const entry = (
        actor: Actor,
        outcome: Pick<Entry, 'result' | 'status' | 'problem'>,
        id: string,
      ): Entry => ({
        actor: { id: actor.id, name: actor.name, via: actor.via },
        address: addressOf(request),
        action: `${snake(tag)}.${snake(name)}`,
        object: { kind: snake(tag), id, name: request.path.slice(0, 200) },
        before: null,
        after: null,
        request_id: currentTrace()?.requestId ?? null,
        command: underWay.name,
        ...outcome,
      });
      const params = Object.values(match.params).join('/');
      return {
        underWay,
        async done(ctx, reply) {
          if (underWay.told) return;
          underWay.told = true;
          const outcome = { result: 'done', status: reply.status, problem: null } as const;
          const data = entry(ctx.actor, outcome, params || madeIn(reply));
          await ctx.emit(declaration, { subject: v7(), seq: 1, data });
        },
        refused(actor, error) {
          const problem = error instanceof AppError ? error.code : 'internal';
          const [status] = PROBLEMS[problem];
          const result = status < 500 ? 'refused' : 'failed';
          tellRefusal(actor.org, entry(actor, { result, status, problem }, params));
        },
      };
    },
    /** Tells what is still counted. */
    async stop(): Promise<void> {
      await Promise.all([...waiting.keys()].map(settle));
    },
  };
}
export type CommandAudits = ReturnType<typeof commandAudits>;

/** The id of what a command made, where its answer shows it. */
function madeIn({ body }: StoredReply): string {
  const { id } = (typeof body === 'object' && body !== null ? body : {}) as { id?: unknown };
  return typeof id === 'string' ? id : '';
}

/** `createSession` and `Security events` as the audit log names them: `create_session`, `security_events`. */
function snake(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z]+/g, '_');
}
