import { techniqueOf } from '@muster/attack';
import { type Imported, OPERATION_LIMITS, type OperationInput, operationInput } from '@muster/contracts';
import { z } from 'zod';
import { isReasonable } from './operation.rules.ts';

const MAX_STEPS = 200;
const MAX_COMMAND = 500;
const MAX_NOTES = 8000;
const MAX_SKIPPED = 1000;
const ZONE = /(?:z|[+-]\d{2}:?\d{2})$/i;

const words = z.string().max(2000).nullish();
const step = z.looseObject({
  command: z.string().nullish(),
  executor: words,
  'time-start': words,
  'time-stop': words,
  'exit-code': z.number().nullish(),
  'is-timeout': z.boolean().nullish(),
});
const procedure = z.looseObject({
  'procedure-name': words,
  'mitre-technique-id': z.string().trim().max(40),
  order: z.number().nullish(),
  steps: z.array(step).max(MAX_STEPS).default([]),
});

/** A log of executed techniques, https://github.com/SecurityRiskAdvisors/attire version 1.1; what else it holds is left. */
export const attireLog = z.looseObject({
  'attire-version': z.string().regex(/^1\.\d+$/, 'only ATTiRe 1 is understood'),
  'execution-data': z.looseObject({
    'execution-id': z.string().trim().min(1).max(200),
    'execution-source': words,
    target: z.looseObject({ host: words, ip: words, user: words }).nullish(),
  }),
  procedures: z.array(procedure).max(OPERATION_LIMITS.techniques),
});
export type AttireLog = z.output<typeof attireLog>;
type Procedure = z.output<typeof procedure>;
type Step = z.output<typeof step>;
type Skipped = Imported['skipped'][number];

/**
 * What a log says as a running operation, whose blue side is still to be filled in: one technique for each procedure in
 * their order. Unknown techniques and unreadable times are left out and named.
 */
export function operationOfLog(log: AttireLog): { input: OperationInput; imported: Imported } {
  const { 'execution-id': execution_id, 'execution-source': source, target } = log['execution-data'];
  const skipped: Skipped[] = [];
  const techniques = log.procedures
    .map((one, at) => ({ one, path: `/procedures/${at}` }))
    .toSorted((a, b) => (a.one.order ?? 0) - (b.one.order ?? 0))
    .flatMap(({ one, path }) => techniqueOfProcedure(one, path, skipped));
  const stops = log.procedures.flatMap(({ steps }) => steps.map((one) => momentOf(one['time-stop'])));
  const executions = techniques.flatMap(({ red }) => (red.executed_at ? [red.executed_at] : []));
  const named = [source, target?.host].filter(Boolean).join(' on ') || execution_id;
  const input = operationInput.parse({
    name: `Imported: ${named}`.slice(0, 200),
    status: 'running',
    started_at: executions.toSorted()[0] ?? null,
    ended_at:
      stops
        .filter((one) => one !== null)
        .toSorted()
        .at(-1) ?? null,
    techniques,
  });
  const place = [target?.host, target?.ip, target?.user].filter(Boolean).join(', ');
  const execution_source = source || null;
  return {
    input: withoutImpossibleEnd(input),
    imported: {
      format: 'attire',
      execution_id,
      execution_source,
      target: place || null,
      skipped: skipped.slice(0, MAX_SKIPPED),
    },
  };
}

function techniqueOfProcedure(one: Procedure, path: string, skipped: Skipped[]) {
  const asked = one['mitre-technique-id'].toUpperCase();
  const found = techniqueOf(asked);
  if (!found) {
    const message = `ATT&CK has no technique ${asked} today: “${one['procedure-name'] ?? 'unnamed'}” was left out`;
    skipped.push({ path: `${path}/mitre-technique-id`, code: 'unknown_technique', message });
    return [];
  }
  const starts = one.steps.map((each, at) => {
    const moment = momentOf(each['time-start']);
    if (moment === null && each['time-start']) {
      const message = `"${each['time-start'].slice(0, 60)}" is no time between 2000 and 2100`;
      skipped.push({ path: `${path}/steps/${at}/time-start`, code: 'unreadable_time', message });
    }
    return moment;
  });
  const executed_at = starts.filter((moment) => moment !== null).toSorted()[0] ?? null;
  const red = { executed_at, outcome: outcomeOf(one.steps), notes: notesOf(one) };
  return [{ technique: found.id, red }];
}

/** Times without a zone are of UTC. */
function momentOf(text: string | null | undefined): string | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}[T ]/.test(text)) return null;
  const time = Date.parse(ZONE.test(text) ? text : `${text}Z`);
  return isReasonable(time) ? new Date(time).toISOString() : null;
}

function outcomeOf(steps: readonly Step[]): string {
  if (steps.some((one) => one['is-timeout'])) return 'timed out';
  const codes = steps.flatMap((one) => one['exit-code'] ?? []);
  if (codes.length === 0) return 'executed';
  return codes.every((code) => code === 0) ? 'succeeded' : 'failed';
}

function notesOf(one: Procedure): string {
  const commands = one.steps.flatMap(({ executor, command }) =>
    command ? [`${executor ?? 'command'}: ${command.slice(0, MAX_COMMAND)}`] : [],
  );
  return [one['procedure-name'] ?? '', ...commands].filter(Boolean).join('\n').slice(0, MAX_NOTES);
}

/** A clock that was set back between steps must not keep the log out. */
function withoutImpossibleEnd(input: OperationInput): OperationInput {
  const { started_at, ended_at } = input;
  return started_at && ended_at && ended_at < started_at ? { ...input, ended_at: null } : input;
}
