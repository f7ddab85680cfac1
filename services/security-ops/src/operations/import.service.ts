import type { OperationImportResult, ProblemDetail } from '@muster/contracts';
import { type Ctx, fieldProblems, invalid, isDuplicateKey, lostRace } from '@muster/service-kit';
import { attireLog, operationOfLog } from './attire.reader.ts';
import { type OperationDoc, operations, toSummary } from './operation.model.ts';
import { createOperation } from './operation.service.ts';

const MOST_ERRORS = 50;

type Log = Record<string, unknown>;

/** Stores the operation a log tells of, unless one of its execution id is there. Raises 422 with all that is wrong. */
export async function importLog(ctx: Ctx, log: Log): Promise<{ doc: OperationDoc; isNew: boolean }> {
  const taken = await takeLog(ctx, log);
  if ('errors' in taken) throw invalid(taken.errors);
  return taken;
}

/** Stores all the logs that can be read, in one transaction; the others are named. */
export async function importLogs(ctx: Ctx, logs: readonly Log[]): Promise<OperationImportResult> {
  const result: OperationImportResult = { imported: 0, known: 0, rejected: [], operations: [] };
  for (const [index, log] of logs.entries()) {
    const taken = await takeLog(ctx, log);
    if ('errors' in taken) {
      result.rejected.push({ index, errors: taken.errors });
      continue;
    }
    result[taken.isNew ? 'imported' : 'known'] += 1;
    result.operations.push(toSummary(taken.doc));
  }
  return result;
}

async function takeLog(
  ctx: Ctx,
  log: Log,
): Promise<{ doc: OperationDoc; isNew: boolean } | { errors: ProblemDetail[] }> {
  const parsed = attireLog.safeParse(log);
  if (!parsed.success) return { errors: fieldProblems(parsed.error).slice(0, MOST_ERRORS) };
  const { input, imported } = operationOfLog(parsed.data);
  const known = await operations(ctx).findOne({ execution_id: imported.execution_id });
  if (known) return { doc: known, isNew: false };
  try {
    return { doc: await createOperation(ctx, input, imported), isNew: true };
  } catch (error) {
    if (isDuplicateKey(error)) throw lostRace();
    throw error;
  }
}
