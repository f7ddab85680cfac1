import { z } from 'zod';
import type { ProviderSettings } from './provider.variables.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Someone whom a provider has signed in. */
export interface Identity {
  /** What never changes and is nobody else's: see `linkId`. */
  key: { issuer: string; subject: string };
  name: string;
  /** In lower case; null where the provider names none, or does not say that it is theirs. */
  email: string | null;
  /** Whether the provider named an e-mail at all. */
  emailNamed: boolean;
}

/**
 * Who signed in, from the claims of an ID token and, where that names no e-mail, of UserInfo. An e-mail counts only
 * when the same document says that it was verified.
 *
 * Microsoft Entra ID is known by (tid, oid): `sub` differs from application to application, and an e-mail there can be
 * set by whoever runs a tenant. It has no `email_verified`; the optional claims `xms_edov` (the domain's owner is
 * verified) and `verified_primary_email` say as much, so one of them must be added to the application's ID token.
 * https://learn.microsoft.com/entra/identity-platform/optional-claims-reference
 * @returns null when the claims do not say who it is
 */
export function identityOf(
  { preset, issuer }: Pick<ProviderSettings, 'preset' | 'issuer'>,
  token: Claims,
  userInfo: Claims | null,
): Identity | null {
  const key = preset === 'entra' ? entraKey(token) : keyOf(issuer.href, token.sub);
  if (!key) return null;
  const document = text(token.email) === null ? (userInfo ?? {}) : token;
  const email = addressOf(document.email);
  const verified = email !== null && isVerified(document, email, preset);
  const name = text(token.name) ?? text(userInfo?.name) ?? email ?? key.subject;
  return { key, name: name.slice(0, 120), email: verified ? email : null, emailNamed: email !== null };
}

function entraKey({ tid, oid }: Claims) {
  const tenant = text(tid)?.toLowerCase();
  return tenant === undefined ? null : keyOf(`urn:entra:${tenant}`, oid);
}

function keyOf(issuer: string, subject: unknown) {
  const given = text(subject);
  return given === null ? null : { issuer, subject: given };
}

function isVerified(document: Claims, email: string, preset: ProviderSettings['preset']): boolean {
  if (preset !== 'entra') return document.email_verified === true;
  const { xms_edov: domainOwner, verified_primary_email: primary } = document;
  if (domainOwner === true || domainOwner === 1 || domainOwner === '1' || domainOwner === 'true') return true;
  return Array.isArray(primary) && primary.some((one) => text(one)?.toLowerCase() === email);
}

/** One plain address, or null: nothing that could be read as two, or as another domain's. */
function addressOf(value: unknown): string | null {
  const parsed = z.email().max(254).safeParse(value);
  return parsed.success ? parsed.data.toLowerCase() : null;
}

/** Whether the person's tenant may come in: `tid`, or `hd` with Google, against the list. An empty list lets all in. */
export function tenantAllowed(
  { preset, allowedTenants }: Pick<ProviderSettings, 'preset' | 'allowedTenants'>,
  token: Claims,
): boolean {
  if (allowedTenants.length === 0) return true;
  const tenant = text(preset === 'google' ? token.hd : token.tid);
  return tenant !== null && allowedTenants.includes(tenant.toLowerCase());
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
