import { type Document, deserialize } from 'bson';
import type { Call } from './call.ts';

/** One write of a command: the document of an insert, or filter and change of the others. */
export interface Write {
  document?: Document;
  filter?: Document;
  /** The update; undefined for a pipeline. */
  change?: Document;
  upsert?: boolean;
}

/** The n-th write of a write command, decoded; nothing for a position that it does not have. */
export function writeAt(call: Call, at: number): Write {
  const spec = deserialize(call.spec());
  if (call.name === 'findandmodify') return changed(spec.query, spec.update, spec.upsert);
  const [sequence] = call.request.sequences.values();
  const write = sequence ? nth(sequence, at) : (spec.documents ?? spec.updates)?.[at];
  if (!write) return {};
  return call.name === 'insert' ? { document: write } : changed(write.q, write.u, write.upsert);
}

function changed(filter: Document, change: Document | undefined, upsert: unknown): Write {
  return { filter, change: Array.isArray(change) ? undefined : change, upsert: upsert === true };
}

function nth(sequence: Buffer, at: number): Document | undefined {
  let offset = 0;
  for (let skipped = 0; skipped < at && offset < sequence.length; skipped++) {
    offset += sequence.readInt32LE(offset);
  }
  if (offset >= sequence.length) return undefined;
  return deserialize(sequence.subarray(offset, offset + sequence.readInt32LE(offset)));
}
