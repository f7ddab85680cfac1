import { ATTACK_VERSION, type Technique, techniqueOf } from '@muster/attack';
import type { LayerDomain, LayerTechnique, NavigatorLayer } from '@muster/contracts';

/** The version of the Navigator whose layers these are; it reads format 4.5 since 4.9.0. */
const NAVIGATOR_VERSION = '5.1.0';
const LONGEST_NAME = 200;
const LONGEST_VALUE = 2000;
/** From nothing stood in the way (0) to nothing came through (100). */
const GRADIENT = { colors: ['#d73027', '#fee08b', '#1a9850'], minValue: 0, maxValue: 100 };

export const domainOf = ({ domain }: Technique): LayerDomain => domain ?? 'enterprise';

/** True for a technique that is drawn in this domain's matrix. */
export function isIn(domain: LayerDomain, id: string): boolean {
  const found = techniqueOf(id);
  return found !== undefined && domainOf(found) === domain;
}

/** A whole layer in format 4.5 of what is to be shown. */
export function layerOf(
  domain: LayerDomain,
  shown: Pick<NavigatorLayer, 'name' | 'description' | 'techniques' | 'legendItems'>,
): NavigatorLayer {
  return {
    name: shortened(shown.name, LONGEST_NAME),
    versions: {
      navigator: NAVIGATOR_VERSION,
      layer: '4.5',
      attack: ATTACK_VERSION.split('.')[0] ?? ATTACK_VERSION,
    },
    domain: `${domain}-attack`,
    description: shown.description,
    layout: { layout: 'side', showID: true, expandedSubtechniques: 'annotated' },
    techniques: shown.techniques,
    gradient: GRADIENT,
    legendItems: shown.legendItems,
  };
}

/** Metadata of a technique: the Navigator refuses empty values, so they are left out. */
export function metadataOf(fields: Readonly<Record<string, string | null>>): LayerTechnique['metadata'] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value ? [{ name, value: shortened(value, LONGEST_VALUE) }] : [],
  );
}

const shortened = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;
