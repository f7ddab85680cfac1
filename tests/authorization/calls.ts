import { type Api, apis, type Endpoint, href, newJobId, platformApis } from '@muster/contracts';
import { v7 } from 'uuid';

/** Every endpoint that callers reach through the gateway, with its name. */
export const ENDPOINTS: readonly { name: string; service: Api['service']; endpoint: Endpoint }[] = [
  ...apis,
  ...platformApis('exercises'),
].flatMap(({ service, endpoints }) =>
  Object.entries<Endpoint>(endpoints)
    .filter(([, { internal }]) => !internal)
    .map(([name, endpoint]) => ({ name, service, endpoint })),
);

export interface Call {
  status: number;
  /** The problem's slug, if the answer is one. */
  problem: string | null;
}

/** Calls an endpoint as its declaration says, with the declared example as its body. A stream is left at once. */
export async function call(
  url: string,
  { method, path, body, params }: Endpoint,
  token: string,
  ids: Record<string, string> = {},
): Promise<Call> {
  const example = body?.meta()?.example;
  const answer = await fetch(url + href(path, { ...exampleIds(params), ...ids }), {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${token}`,
      prefer: 'respond-async',
      ...(example !== undefined && { 'content-type': 'application/json' }),
    },
    body: example === undefined ? undefined : JSON.stringify(example),
    signal: AbortSignal.timeout(20_000),
  });
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json');
  const slug = isProblem ? ((await answer.json()) as { type: string }).type.split(':').at(-1) : null;
  if (!isProblem) await answer.body?.cancel();
  return { status: answer.status, problem: slug ?? null };
}

/** Ids of the right form that nobody has. */
function exampleIds(params: Endpoint['params']): Record<string, string> {
  const shape = (params?.shape ?? {}) as Record<string, { safeParse(value: unknown): { success: boolean } }>;
  const candidates = [newJobId('exercises'), v7(), 'nobody-has-this.json', 'nobody-has-this', 'exercises'];
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [
      name,
      candidates.find((one) => schema.safeParse(one).success) ?? 'nothing',
    ]),
  );
}
