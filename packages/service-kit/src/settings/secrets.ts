import { declaredVariables } from '../config.ts';
import type { Ctx } from '../context.ts';
import { open, type SealedSecret, seal } from '../crypto/envelope.ts';
import { keyEncryptionKey } from '../crypto/key-encryption-key.ts';

type WithKeys = Pick<Ctx, 'org' | 'config'>;

const keysOf = (ctx: WithKeys) =>
  declaredVariables(ctx, { KEY_ENCRYPTION_KEY: keyEncryptionKey }).KEY_ENCRYPTION_KEY;

/** What a secret setting is bound to, such as `<organization>/settings/ai.api_key`. */
export const settingBinding = (org: string, field: string) => `${org}/settings/${field}`;

/** Seals a secret setting for its organization and field, such as `ai.api_key`. */
export function sealSetting(ctx: WithKeys, field: string, secret: string): SealedSecret {
  return seal(keysOf(ctx), settingBinding(ctx.org, field), secret);
}

/**
 * Opens a secret of the organization's settings: `openSetting(ctx, 'ai.api_key', settings.ai.api_key)`. Raises when it
 * is another organization's or field's, was edited, or its key is not in KEY_ENCRYPTION_KEY.
 */
export function openSetting(ctx: WithKeys, field: string, sealed: SealedSecret): string {
  return open(keysOf(ctx), settingBinding(ctx.org, field), sealed);
}
