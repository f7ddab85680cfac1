import { type Ctx, trusted } from '@muster/service-kit';
import { parseJson } from '../formats/json.rules.ts';
import { manifestEntries, readMispEvents } from '../formats/misp.rules.ts';
import { type Reading, Unreadable } from '../formats/reading.rules.ts';
import { items } from '../items/item.model.ts';
import { ask, type SourceOptions } from './source.service.ts';

/** Events fetched of a feed at once; the next ingest goes on with those that are still unknown. */
const MAX_FETCHED = 25;
const MAX_LISTED = 2000;

/**
 * Reads the events of a MISP feed that are new or changed since they were read, the latest first; where nothing is,
 * the latest one again.
 * @param manifest the feed's `manifest.json`, whose address is `url`
 * @throws Unreadable for a manifest without events; AppError as every fetch
 */
export async function readMispFeed(
  ctx: Ctx,
  url: string,
  manifest: unknown,
  options: SourceOptions,
): Promise<Reading[]> {
  const listed = manifestEntries(manifest, MAX_LISTED);
  const [latest] = listed;
  if (!latest) throw new Unreadable('It is the manifest of a MISP feed without events.');
  const unread = await unreadOf(ctx, listed);
  const wanted = unread.length > 0 ? unread.slice(0, MAX_FETCHED) : [latest];
  const readings: Reading[] = [];
  for (const { uuid } of wanted) {
    ctx.signal.throwIfAborted();
    const address = new URL(`${uuid}.json`, url).href;
    const { text } = await ask(ctx, address, 'application/json', options);
    const parsed = parseJson(text);
    if ('problem' in parsed) throw new Unreadable(`Its event ${uuid} cannot be read. ${parsed.problem}`);
    readings.push(...readMispEvents(parsed.value, address));
  }
  const left = unread.length - wanted.length;
  const [first, ...others] = readings;
  if (!first) throw new Unreadable('It is the manifest of a MISP feed without events.');
  const notes = left > 0 ? [`${left} events of the feed are still to be read: read it again to go on.`] : [];
  return [{ ...first, notes: [...first.notes, ...notes] }, ...others];
}

async function unreadOf(ctx: Ctx, listed: readonly { uuid: string; timestamp: string }[]) {
  const keyOf = (uuid: string) => `misp:${uuid.toLowerCase()}`;
  const filter = { keys: trusted({ $in: listed.map(({ uuid }) => keyOf(uuid)) }) };
  const rows = await items(ctx).find(filter, { projection: { keys: 1, revision: 1 } });
  const known = new Map(rows.flatMap(({ keys, revision }) => keys.map((key) => [key, revision] as const)));
  return listed.filter(({ uuid, timestamp }) => known.get(keyOf(uuid)) !== timestamp);
}
