import { z } from 'zod';
import { keyEncryptionKey } from '../crypto/key-encryption-key.ts';
import { egressPolicy } from '../egress/policy.ts';

const FORM = 'expected <model>=<input>/<output> in US dollars for a million tokens, separated by commas';
const ENTRY = /^([^=,\s]+)=(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/;

export type ModelPrices = Readonly<Record<string, { input: number; output: number }>>;

/** What language models cost, such as `small=0.15/0.6,large=3/15`. The cost of a model that is not in it stays unknown. */
const modelPrices = z
  .string()
  .default('')
  .transform((variable, context): ModelPrices => {
    const entries = variable.split(',').flatMap((entry) => entry.trim() || []);
    const prices = entries.map((entry) => ENTRY.exec(entry));
    if (prices.includes(null)) context.addIssue({ code: 'custom', message: FORM });
    return Object.fromEntries(
      prices.map((match) => [match?.[1] ?? '', { input: Number(match?.[2]), output: Number(match?.[3]) }]),
    );
  });

/** The variables of a service that asks an engine. */
export const aiVariables = {
  KEY_ENCRYPTION_KEY: keyEncryptionKey,
  AI_ALLOW_HOSTS: egressPolicy,
  AI_PRICES: modelPrices,
} as const;
