import type { IntelSource } from '@muster/ai';
import { type ScenarioContent, scenarioProblems } from '@muster/contracts';
import type { ItemDoc } from '../items/item.model.ts';

/** A name takes 80 characters, the id and its dash among them. */
const SLUG_LENGTH = 71;
const ID_LENGTH = 8;

/** The name a draft has in the library: its title in plain letters, and the end of its id, which is by chance. */
export function draftFilename(title: string, id: string): string {
  const slug = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, SLUG_LENGTH)
    .replace(/-$/, '');
  return `${slug || 'scenario'}-${id.slice(-ID_LENGTH)}.json`;
}

/** What a scenario is drawn from: what the item says, without its indicators and its text. */
export function sourceOf(item: ItemDoc): IntelSource {
  const { title, summary, publisher, published_at, actors, malware, techniques, cves, sectors, tags } = item;
  return {
    title,
    summary,
    publisher,
    actors,
    malware,
    techniques,
    cves,
    sectors,
    tags,
    published_at: published_at?.toISOString() ?? null,
  };
}

/** Where a scenario would not pass as an upload, or says more than its item; in sentences. */
export function draftProblems(content: ScenarioContent, item: Pick<ItemDoc, 'techniques'>): string[] {
  const shown = new Set(item.techniques.map(({ id }) => id));
  const used = [...content.threat.techniques, ...content.injects.flatMap(({ techniques }) => techniques)];
  return [
    ...scenarioProblems(content).map(({ path, message }) => `${path}: ${message}`),
    ...[...new Set(used)].filter((id) => !shown.has(id)).map((id) => `the item does not show ${id}`),
  ];
}
