import type { ScenarioContent } from '@muster/contracts';
import { bare, clipped } from '../prose/prose.ts';
import { CAST, type Part } from './cast.data.ts';
import type { ScenarioProfile } from './intel.ts';

type Role = ScenarioContent['roles'][number];

/** The table: the parts that every scenario needs, called as the organization's profile calls them. */
export function castOf(profile: ScenarioProfile | null): Role[] {
  const free = new Set(
    (profile?.critical_roles ?? []).map(({ role }) => bare(role)).filter((role) => role !== ''),
  );
  return (Object.keys(CAST) as Part[]).map((id) => {
    const { name, responsibilities, titles } = CAST[id];
    const own = [...free].find((role) => titles.test(role));
    if (own) free.delete(own);
    return { id, name: clipped(own ?? name, 120), responsibilities };
  });
}
