import type { IngestInput } from '@muster/contracts';
import { AppError, type Ctx, invalid, type WorkProgress } from '@muster/service-kit';
import { type Reading, Unreadable } from '../formats/reading.rules.ts';
import { read } from '../formats/reading.service.ts';
import { readSource } from '../sources/source.service.ts';
import { keepAll } from './keep.service.ts';

/**
 * Reads a source or a document and keeps what it says: new items, new versions of those it was read into before.
 * @returns the first item's address, and whether it is new
 * @throws AppError `url-not-allowed`, `bad-gateway` for a source that fails, 422 for a document that cannot be read
 */
export async function ingest(
  ctx: Ctx,
  { url, document, media_type, tags, tlp }: IngestInput,
  progress: Pick<WorkProgress, 'report'>,
): Promise<{ href: string; created: boolean }> {
  await progress.report(0, null, url === undefined ? 'Reading the document' : 'Asking the source');
  const readings =
    url === undefined
      ? await handedOver(ctx, document ?? '', media_type)
      : (await readSource(ctx, url)).readings;
  const kept = await keepAll(ctx, readings, { asked: url === undefined ? [] : [url], tags, tlp, progress });
  const [first] = kept;
  if (!first) throw new AppError('bad-gateway', 'The source holds no entry.');
  return { href: `/api/threat-intel/${first.id}/`, created: first.outcome === 'created' };
}

async function handedOver(
  ctx: Ctx,
  document: NonNullable<IngestInput['document']>,
  mediaType: string | undefined,
): Promise<Reading[]> {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  try {
    const found = await read(ctx, { text, origin: { mediaType: mediaType ?? null, url: null } });
    return 'readings' in found ? found.readings : [];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw invalid([{ path: '/document', code: 'unreadable', message: error.message, in: 'body' }]);
  }
}
