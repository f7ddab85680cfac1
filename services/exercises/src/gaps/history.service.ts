import { type Ctx, trusted } from '@muster/service-kit';
import { type SettledSession, settledSessions } from './gap.model.ts';
import type { OtherTrial, Surroundings } from './life.rules.ts';

type Row = Omit<SettledSession, 'org_id'>;

/** So many sessions are read on each side of one: they tell of most of what it tried. */
const NEAR = 8;

/** A place in an organization's history. */
interface Place {
  /** The trials of a capability and control on both sides; with `last`, the last of all where that is after this place. */
  around(topic: string, options: { last: boolean }): Promise<Surroundings>;
}

/** What an organization's sessions tried that are settled, in the order of their moments. */
export function historyOf(ctx: Ctx) {
  const added: Row[] = [];
  let near: { earlier: Row[]; later: Row[] } | undefined;

  /** The stored sessions before or after a moment, the nearest first. */
  async function beside(moment: string, side: '$lt' | '$gt', filter = {}, limit = NEAR): Promise<Row[]> {
    const sort = { moment: side === '$lt' ? -1 : 1 } as const;
    return await settledSessions(ctx).find(
      { ...filter, moment: trusted({ [side]: moment }) },
      { sort, limit },
    );
  }

  return {
    /** @param moment not before those of earlier calls, nor of what was added */
    async placeOf(moment: string): Promise<Place> {
      // Where nothing stored comes after the last place, nothing stored lies between that and this one.
      if (near?.later.length !== 0)
        near = { earlier: await beside(moment, '$lt'), later: await beside(moment, '$gt') };
      const { earlier, later: following } = near;
      const nearest = async (rows: readonly Row[], side: '$lt' | '$gt', topic: string) => {
        const found = trialIn(rows, topic);
        if (found || rows.length < NEAR) return found;
        return trialIn(await beside(moment, side, { 'tried.topic': topic }, 1), topic);
      };
      return {
        async around(topic, { last }) {
          const before = laterOf(trialIn(added, topic), await nearest(earlier, '$lt', topic));
          const next = await nearest(following, '$gt', topic);
          return { before, next, last: last && next ? await lastTrial(ctx, topic) : null };
        },
      };
    },
    /** Adds a session at the place asked for last. */
    add: (row: Row) => void added.unshift(row),
  };
}

async function lastTrial(ctx: Ctx, topic: string): Promise<OtherTrial | null> {
  const rows = await settledSessions(ctx).find({ 'tried.topic': topic }, { sort: { moment: -1 }, limit: 1 });
  return trialIn(rows, topic);
}

/** How it went on a capability and control in the first of some sessions that tried it. */
function trialIn(rows: readonly Row[], topic: string): OtherTrial | null {
  for (const { moment, tried } of rows) {
    const found = tried.find((one) => one.topic === topic);
    if (found) return { moment, rating: found.rating };
  }
  return null;
}

function laterOf(one: OtherTrial | null, other: OtherTrial | null): OtherTrial | null {
  if (!one || !other) return one ?? other;
  return one.moment > other.moment ? one : other;
}
