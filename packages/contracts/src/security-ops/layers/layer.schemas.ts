import { z } from 'zod';
import { technique, text } from '../../core/primitives.ts';

/** The two matrices of ATT&CK that layers are drawn for. */
export const LAYER_DOMAINS = ['enterprise', 'ics'] as const;
export type LayerDomain = (typeof LAYER_DOMAINS)[number];

const colour = z.string().regex(/^#[0-9a-f]{6}$/);
const metadata = z.union([
  z.strictObject({ name: text(200), value: text(2000) }),
  z.strictObject({ divider: z.literal(true) }),
]);
const layerTechnique = z.strictObject({
  techniqueID: technique,
  score: z.number().optional(),
  color: colour,
  comment: z.string(),
  enabled: z.boolean(),
  metadata: z.array(metadata),
});
export type LayerTechnique = z.output<typeof layerTechnique>;

/**
 * A layer for the ATT&CK Navigator, format 4.5: the fields of
 * https://github.com/mitre-attack/attack-navigator/blob/master/layers/spec/v4.5/layerformat.md that are written here.
 */
export const navigatorLayer = z
  .strictObject({
    name: text(200),
    versions: z.strictObject({
      navigator: z.string(),
      layer: z.literal('4.5'),
      /** The major version of ATT&CK, as the Navigator names it. */
      attack: z.string().regex(/^\d+$/),
    }),
    domain: z.enum(['enterprise-attack', 'ics-attack']),
    description: z.string(),
    layout: z.strictObject({
      layout: z.literal('side'),
      showID: z.boolean(),
      expandedSubtechniques: z.enum(['none', 'annotated', 'all']),
    }),
    techniques: z.array(layerTechnique),
    gradient: z.strictObject({ colors: z.array(colour).min(2), minValue: z.number(), maxValue: z.number() }),
    legendItems: z.array(z.strictObject({ label: text(200), color: colour })),
  })
  .meta({
    id: 'NavigatorLayer',
    example: {
      name: 'Ransomware rehearsal',
      versions: { navigator: '5.1.0', layer: '4.5', attack: '18' },
      domain: 'enterprise-attack',
      description: 'One of one executed techniques was detected.',
      layout: { layout: 'side', showID: true, expandedSubtechniques: 'annotated' },
      techniques: [
        {
          techniqueID: 'T1566.001',
          score: 75,
          color: '#a6d96a',
          comment: 'Detected after 12 minutes by Mail gateway.',
          enabled: true,
          metadata: [{ name: 'Result', value: 'detected' }],
        },
      ],
      gradient: { colors: ['#d73027', '#fee08b', '#1a9850'], minValue: 0, maxValue: 100 },
      legendItems: [{ label: 'Detected', color: '#a6d96a' }],
    },
  });
export type NavigatorLayer = z.output<typeof navigatorLayer>;
