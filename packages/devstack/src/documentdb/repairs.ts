import { type Document, deserialize, serialize } from 'bson';
import { CommandError } from './codes.ts';

/** The words that the engine is known to take in another sense than MongoDB. */
const SUSPECTS = ['$dateTrunc', '$count'].map((word) => Buffer.from(`${word}\0`));
/** Keeps every value's own type, so that what is not repaired goes through unchanged. */
const EXACT = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true };
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/**
 * Says in other words what DocumentDB 1.0 computes wrongly in queries: `$dateTrunc` by day and week is days
 * off, and `$count` answers 0 where MongoDB answers no document at all.
 * @param spec the command's BSON; answered as it is when it has nothing of that
 * @throws CommandError 238 for a truncation that cannot be said otherwise
 */
export function repaired(spec: Buffer): Buffer {
  if (!SUSPECTS.some((word) => spec.includes(word))) return spec;
  return Buffer.from(serialize(repair(deserialize(spec, EXACT)) as Document));
}

function repair(value: unknown): unknown {
  if (Array.isArray(value)) return value.flatMap((item) => stages(item).map(repair));
  if (!isPlain(value)) return value;
  const trunc = value.$dateTrunc;
  if (isPlain(trunc))
    return truncated(Object.fromEntries(Object.entries(trunc).map(([k, v]) => [k, repair(v)])));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, repair(inner)]));
}

/** A stage, or the stages that mean what it should. */
function stages(item: unknown): unknown[] {
  if (!isPlain(item) || Object.keys(item).length !== 1 || typeof item.$count !== 'string') return [item];
  return [{ $group: { _id: null, [item.$count]: { $sum: 1 } } }, { $project: { _id: 0 } }];
}

function truncated(trunc: Document): Document {
  const { date, unit, timezone, binSize = 1, startOfWeek = 'sunday' } = trunc;
  if (unit !== 'day' && unit !== 'week') return { $dateTrunc: trunc };
  if (Number(binSize) !== 1 || typeof startOfWeek !== 'string') {
    throw new CommandError(238, `$dateTrunc by several ${unit}s is not computed rightly by this engine`);
  }
  const zone = timezone === undefined ? {} : { timezone };
  const at = { date, ...zone };
  const parts = { year: { $year: at }, month: { $month: at }, day: { $dayOfMonth: at } };
  const day = { $dateFromParts: { ...parts, ...zone } };
  if (unit === 'day') return day;
  const first = DAYS.findIndex((name) => name.startsWith(startOfWeek.toLowerCase().slice(0, 3)));
  const since = { $mod: [{ $add: [{ $dayOfWeek: at }, 6 - first] }, 7] };
  return { $dateSubtract: { startDate: day, unit: 'day', amount: since, ...zone } };
}

function isPlain(value: unknown): value is Document {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !('_bsontype' in value) &&
    !(value instanceof Date)
  );
}
