import { identityChangeRecorded } from '@muster/contracts';
import { type Ctx, invalid, recordChange, type SealedSecret, sealSetting } from '@muster/service-kit';
import { config } from '../config.ts';
import { claimDomains } from '../domains/claim.service.ts';
import { maySendFrom } from '../domains/domain.rules.ts';
import { provenDomains } from '../domains/domain.service.ts';
import { organizations } from '../organizations/organization.model.ts';
import type { CurrentSettings } from './settings.model.ts';
import {
  brokenKey,
  brokenSettings,
  differences,
  effective,
  leadsKeyAway,
  overlaid,
  type SettingsInput,
  type SettingsValues,
} from './settings.rules.ts';
import {
  API_KEY,
  announceSettings,
  readSettings,
  type StoredSettings,
  stored,
  write,
} from './settings.service.ts';

/**
 * Changes settings; what is left out stays. Raises `precondition-failed` for an older version, and a 422 that names
 * each field that does not fit the others, or a domain that cannot be claimed.
 */
export async function updateSettings(
  ctx: Ctx,
  input: SettingsInput,
  requireMatch: (etag: string) => void,
): Promise<CurrentSettings> {
  const before = await stored(ctx);
  requireMatch(String(before.version));
  const set = overlaid(before.set, input);
  const after = effective(input.organization?.name ?? before.values.organization.name, set);
  // Pasted keys often bring the end of their line along.
  const given = input.ai?.api_key?.trim() ?? input.ai?.api_key;
  requireWhole(before, after, given);
  const changed = differences(before.values, after, { had: before.api_key !== null, given });
  if (!changed) return await readSettings(ctx);

  const { smtp_from } = after.notifications;
  if (smtp_from !== before.values.notifications.smtp_from) await requireOwnAddress(ctx, smtp_from);
  await claimDomains(ctx, after.security.allowed_email_domains);
  if (after.organization.name !== before.values.organization.name)
    await organizations(ctx).updateOne({ _id: ctx.org }, { $set: { name: after.organization.name } });
  await write(ctx, before.version, { set, api_key: keyAfter(ctx, before.api_key, given) });
  await announceSettings(ctx);
  await recordChange(ctx, identityChangeRecorded, {
    action: 'settings.updated',
    object: { kind: 'settings', id: ctx.org, name: after.organization.name },
    ...changed,
  });
  return await readSettings(ctx);
}

/** Raises a 422 for an address that mail must not come from. */
async function requireOwnAddress(ctx: Ctx, address: string | null): Promise<void> {
  if (address === null || maySendFrom(address, await provenDomains(ctx), config(ctx).SMTP_FROM)) return;
  const message =
    'Mail comes from an address of a domain that your organization has proven (security.domains), or of the one that this deployment mails from.';
  throw invalid([{ path: '/notifications/smtp_from', code: 'foreign_domain', message, in: 'body' }]);
}

function requireWhole(before: StoredSettings, after: SettingsValues, given: string | null | undefined): void {
  const had = before.api_key !== null;
  const hasKey = given === undefined ? had : given !== null;
  const kept = had && given === undefined;
  const problems = [
    ...brokenSettings(after, hasKey),
    ...brokenKey(given, kept && leadsKeyAway(before.values, after)),
  ];
  if (problems.length > 0) throw invalid(problems);
}

function keyAfter(
  ctx: Ctx,
  held: SealedSecret | null,
  given: string | null | undefined,
): SealedSecret | null {
  if (given === undefined) return held;
  return given === null ? null : sealSetting(ctx, API_KEY, given);
}
