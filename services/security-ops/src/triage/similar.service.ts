import type { SimilarEvent } from '@muster/ai';
import type { Ctx } from '@muster/service-kit';
import type { EventDoc } from '../events/event.model.ts';
import { findAfter, searchFor } from '../events/search.service.ts';
import { latestTriages } from './latest.service.ts';
import { type Trait, traitsOf } from './likeness.rules.ts';

const MOST_READ = 50;
const MOST_SIMILAR = 20;
/** One shared word is chance. */
const ENOUGH = 2;

interface Match {
  doc: EventDoc;
  traits: Trait[];
}

/**
 * Earlier events that have something in common with one, the nearest first: one of each group, at most 20. Each trait
 * is looked up by index, and of those that have it only the newest are read.
 */
export async function similarTo(ctx: Ctx, doc: EventDoc): Promise<SimilarEvent[]> {
  const found = new Map<string, Match>();
  for (const trait of traitsOf(doc)) {
    const search = await searchFor(ctx, trait.wanted);
    const others = search ? (await findAfter(ctx, search, doc._id, MOST_READ)).rows : [];
    const groups = new Map(others.toReversed().map((other) => [other.group_id, other]));
    groups.delete(doc.group_id);
    for (const [group, other] of groups) {
      const known = found.get(group);
      found.set(group, { doc: known?.doc ?? other, traits: [...(known?.traits ?? []), trait] });
    }
  }
  const nearest = [...found.values()]
    .filter((one) => weightOf(one) >= ENOUGH)
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .slice(0, MOST_SIMILAR);
  const triages = await latestTriages(
    ctx,
    nearest.map((one) => one.doc),
  );
  return nearest.map(({ doc: other, traits }) => ({
    id: other._id,
    title: other.title,
    verdict: triages.get(other.group_id)?.verdict ?? null,
    shared: traits.map(({ words }) => words),
  }));
}

const weightOf = ({ traits }: Match) => traits.reduce((sum, { weight }) => sum + weight, 0);
