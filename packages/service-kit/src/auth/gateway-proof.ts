import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The gateway drops it from whatever callers send, as every `x-muster-` header. */
export const PROOF_HEADER = 'x-muster-gateway-proof';
const GOOD_FOR_S = 60;

type RequestLine = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
 * Proofs that a request without a token came through the gateway: good for one method and address, for a minute.
 * @param secret SERVICE_SECRET, the same in the gateway and the services
 */
export function gatewayProofs(secret: string, now: () => number = Date.now) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'muster gateway proof', 32));
  const sign = (second: string, { method, url }: Pick<RequestLine, 'method' | 'url'>) =>
    createHmac('sha256', key).update(`${second} ${method} ${url}`).digest('base64url');

  return {
    /** The header's value for a request. */
    make(request: Pick<RequestLine, 'method' | 'url'>): string {
      const second = String(Math.floor(now() / 1000));
      return `${second}.${sign(second, request)}`;
    },
    /** True when the request carries a proof of its own that has not run out. */
    holds(request: RequestLine): boolean {
      const given = String(request.headers[PROOF_HEADER] ?? '');
      const [second = ''] = given.split('.', 1);
      if (!(Math.abs(now() / 1000 - Number(second)) <= GOOD_FOR_S)) return false;
      const [one, other] = [Buffer.from(given), Buffer.from(`${second}.${sign(second, request)}`)];
      return one.length === other.length && timingSafeEqual(one, other);
    },
  };
}
export type GatewayProofs = ReturnType<typeof gatewayProofs>;
