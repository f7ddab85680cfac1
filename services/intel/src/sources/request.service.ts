import { STATUS_CODES } from 'node:http';
import { AppError, type Ctx, type EgressPolicy, type Fetched, guardedFetch } from '@muster/service-kit';
import { config } from '../config.ts';
import { decodeText } from '../formats/charset.rules.ts';
import type { Reading } from '../formats/reading.rules.ts';

/** How a source is asked beside its address. */
export interface SourceOptions {
  /** Such as an account's; another origin is never told. */
  headers?: Readonly<Record<string, string>>;
  /** Where the last reading ended, of a source that is read on from there. */
  since?: string | null;
}

/** What a source says, and where the next reading goes on; null where it reads the whole again. */
export interface SourceReading {
  readings: Reading[];
  until: string | null;
}

/** One answer of a source, as text. */
export interface Answer {
  /** Where it came from, after redirects. */
  url: string;
  contentType: string | null;
  headers: Headers;
  text: string;
}

/** What a source may call: in production https on the public internet alone, whatever the variable says. */
export function sourcePolicy(ctx: Ctx): EgressPolicy {
  return ctx.config.MUSTER_MODE === 'development' ? config(ctx).MUSTER_INTEL_ALLOW : { allow: [] };
}

/**
 * Asks a source for a document in text. Raises `url-not-allowed`, and `bad-gateway` for a
 * source that cannot be reached or answers any status but success.
 */
export async function ask(
  ctx: Ctx,
  url: string,
  accept: string,
  { headers }: SourceOptions = {},
): Promise<Answer> {
  const { signal } = ctx;
  const policy = sourcePolicy(ctx);
  const answer = await guardedFetch(url, { policy, signal, headers: { ...headers, accept } });
  const { host } = new URL(answer.url);
  if (answer.status < 200 || answer.status > 299) throw failing(host, answer);
  const contentType = answer.headers.get('content-type');
  const { url: from, headers: given, body } = answer;
  return { url: from, contentType, headers: given, text: decodeText(body, contentType) };
}

function failing(host: string, { status }: Fetched): AppError {
  const meaning = STATUS_CODES[status];
  const said =
    status === 401 || status === 403 ? `${host} lets nobody in without an account` : `${host} fails`;
  return new AppError('bad-gateway', `${said}: it answers ${status}${meaning ? ` ${meaning}` : ''}.`);
}
