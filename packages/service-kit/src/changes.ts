import type { changeRecordedBy, EventInput, ServiceName } from '@muster/contracts';
import { v7 } from 'uuid';
import type { Ctx } from './context.ts';
import { currentTrace } from './telemetry/trace.ts';

type ChangeData = EventInput<ReturnType<typeof changeRecordedBy<ServiceName>>>;
export type Change = Pick<ChangeData, 'action' | 'object' | 'before' | 'after'>;

/**
 * Tells the audit log what the caller has just changed, in the transaction that changes it.
 * @param declaration the service's own `changeRecordedBy`
 * @param change what it was and is; the caller leaves secrets out
 */
export async function recordChange(
  ctx: Ctx,
  declaration: ReturnType<typeof changeRecordedBy<ServiceName>>,
  change: Change,
): Promise<void> {
  const { id, name, via } = ctx.actor;
  const { command } = ctx;
  if (command) command.told = true;
  const data = {
    ...change,
    command: command?.name ?? null,
    actor: { id, name, via },
    address: ctx.address,
    request_id: currentTrace()?.requestId ?? null,
  };
  await ctx.emit(declaration, { subject: v7(), seq: 1, data });
}
