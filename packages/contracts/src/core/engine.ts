import { z } from 'zod';

/** Who wrote something: the product's own rules, a language model, or somebody else's AI that handed it in. */
export const ENGINE_KINDS = ['rules', 'llm', 'external'] as const;

export const engine = z
  .object({
    kind: z.enum(ENGINE_KINDS),
    model: z.string().optional(),
    /** Whether the rules stood in for a language model that gave no usable answer. */
    degraded: z.boolean(),
    /** Why it is degraded, in a sentence. */
    reason: z.string().optional(),
  })
  .meta({ id: 'Engine', example: { kind: 'rules', degraded: false } });
export type Engine = z.output<typeof engine>;
