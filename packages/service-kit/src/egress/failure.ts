import { AppError } from '../errors.ts';

/** What went wrong, by the code of the error or of its cause. */
const SENTENCES: readonly [RegExp, (host: string) => string][] = [
  [/^(ENOTFOUND|EAI_|ENODATA)/, (host) => `There is no host called ${host}.`],
  [/^ECONNREFUSED/, (host) => `${host} takes no connection.`],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)/, (host) => `${host} cannot be reached.`],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/, (host) => `The certificate of ${host} is not valid.`],
  [/^(EPROTO|ERR_SSL)/, (host) => `${host} does not speak TLS as it should.`],
  [/^(Z_|ERR_BROTLI|ERR__ERROR|ZSTD_)/, (host) => `What ${host} answers cannot be unpacked.`],
  [/^UND_ERR_HEADERS_OVERFLOW/, (host) => `${host} answers with too many headers.`],
];

/** A `bad-gateway` that says in a sentence why a call gave nothing to work with. */
export function unusable(host: string, cause: unknown): AppError {
  const codes = codesOf(cause);
  const known = SENTENCES.find(([pattern]) => codes.some((code) => pattern.test(code)));
  return new AppError('bad-gateway', known ? known[1](host) : `${host} broke off without a usable answer.`, {
    cause,
  });
}

/** A `bad-gateway` for what took too long. */
export function tooSlow(host: string, timeoutMs: number): AppError {
  return new AppError('bad-gateway', `${host} did not answer in full within ${timeoutMs / 1000} s.`);
}

/** True when a part of a call ended by one of its own deadlines. */
export const isTimeout = (cause: unknown) => codesOf(cause).some((code) => /^UND_ERR_.*TIMEOUT/.test(code));

/** The codes of an error, of its causes, and of the errors it gathers. */
function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const inner = [cause, ...(Array.isArray(errors) ? errors : [])];
  return [...(typeof code === 'string' ? [code] : []), ...inner.flatMap((one) => codesOf(one, depth + 1))];
}
