import { type Ctx, trusted } from '@muster/service-kit';
import { type Reading, Unreadable } from '../formats/reading.rules.ts';
import { read } from '../formats/reading.service.ts';
import { items } from '../items/item.model.ts';
import { ask, type SourceOptions } from './request.service.ts';

/** Events fetched of a feed at once; the next ingest goes on with those that are still unknown. */
const MAX_FETCHED = 25;

interface Entry {
  uuid: string;
  timestamp: string;
}

/**
 * Reads the events of a MISP feed that are new or changed since they were read, the latest first; where nothing is,
 * the latest one again.
 * @param listed what the feed's `manifest.json` lists, whose address is `url`
 * @throws Unreadable for a manifest without events; AppError as every fetch
 */
export async function readMispFeed(
  ctx: Ctx,
  url: string,
  listed: readonly Entry[],
  options: SourceOptions,
): Promise<Reading[]> {
  const [latest] = listed;
  if (!latest) throw new Unreadable('It is the manifest of a MISP feed without events.');
  const unread = await unreadOf(ctx, listed);
  const wanted = unread.length > 0 ? unread.slice(0, MAX_FETCHED) : [latest];
  const readings: Reading[] = [];
  for (const { uuid } of wanted) {
    ctx.signal.throwIfAborted();
    const address = new URL(`${uuid}.json`, url).href;
    const { text } = await ask(ctx, address, 'application/json', options);
    readings.push(...(await eventOf(ctx, { uuid, text, address })));
  }
  const left = unread.length - wanted.length;
  const [first, ...others] = readings;
  if (!first) throw new Unreadable('It is the manifest of a MISP feed without events.');
  const notes = left > 0 ? [`${left} events of the feed are still to be read: read it again to go on.`] : [];
  return [{ ...first, notes: [...first.notes, ...notes] }, ...others];
}

async function eventOf(ctx: Ctx, { uuid, text, address }: { uuid: string; text: string; address: string }) {
  try {
    const event = await read(ctx, { text, origin: { mediaType: null, url: address }, isMispEvent: true });
    return 'readings' in event ? event.readings : [];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new Unreadable(`Its event ${uuid} cannot be read. ${error.message}`);
  }
}

async function unreadOf(ctx: Ctx, listed: readonly Entry[]) {
  const keyOf = (uuid: string) => `misp:${uuid.toLowerCase()}`;
  const filter = { keys: trusted({ $in: listed.map(({ uuid }) => keyOf(uuid)) }) };
  const rows = await items(ctx).find(filter, { projection: { keys: 1, revision: 1 } });
  const known = new Map(rows.flatMap(({ keys, revision }) => keys.map((key) => [key, revision] as const)));
  return listed.filter(({ uuid, timestamp }) => known.get(keyOf(uuid)) !== timestamp);
}
