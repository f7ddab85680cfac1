import { gatewayProofs, PROOF_HEADER } from '@muster/service-kit';

/** The SERVICE_SECRET of every service that a test starts in its own process. */
export const TEST_SECRET = 'only for tests: thirty-two characters';

/** A `fetch` that asks services as the gateway does, with its proof. */
export function fetchAsGateway(secret = TEST_SECRET): typeof globalThis.fetch {
  const proofs = gatewayProofs(secret);
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init.headers);
    headers.set(PROOF_HEADER, proofs.make({ method: init.method ?? 'GET', url: pathname + search }));
    return await fetch(input, { ...init, headers });
  };
}
