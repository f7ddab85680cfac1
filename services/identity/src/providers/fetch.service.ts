import { isLoopback } from '@muster/service-kit';

const MAX_BYTES = 1024 * 1024;

/**
 * A `fetch` for what a provider's documents name: https, or http on loopback; redirects are not followed; a body ends
 * at 1 MiB. The deadline is the caller's signal.
 * @throws TypeError when there is no answer, or too much of it
 */
export async function fetchFromProvider(address: string, init: RequestInit): Promise<Response> {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !isLoopback(url.hostname))
    throw new TypeError('A provider is asked over https only');
  try {
    const answer = await fetch(url, { ...init, redirect: 'manual' });
    const { status, statusText, headers } = answer;
    return new Response(await bounded(answer), { status, statusText, headers });
  } catch (cause) {
    throw new TypeError('The provider gave no answer', { cause });
  }
}

/** The whole body, or null where there is none. */
async function bounded({ body }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop cancels the rest.
    if (size > MAX_BYTES) throw new RangeError(`The provider sent more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}
