import { ModelFailure } from './failure.ts';
import type { Fetch } from './settings.ts';

/** No answer of a job is as long; a longer one is a provider gone wrong. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A fetch that follows no redirect (the key would go with it) and stops reading after 4 MiB. */
export function limitedFetch(fetch: Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, { ...init, redirect: 'error' });
    if (!response.body) return response;
    let read = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        if (read > MAX_BYTES) controller.error(new ModelFailure('the provider answered with too much data'));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  };
}
