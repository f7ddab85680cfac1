import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Kept {
  payload: AdapterPayload;
  /** Milliseconds since the epoch. */
  until: number;
}

/**
 * Keeps a provider's sessions, codes and tokens in memory: what the library asks of an adapter.
 * @returns a maker of one adapter for each kind of thing
 */
export function memoryStore(): (kind: string) => Adapter {
  const kinds = new Map<string, Map<string, Kept>>();
  return (kind) => {
    const kept = kinds.get(kind) ?? new Map<string, Kept>();
    kinds.set(kind, kept);
    return adapterOf(kept);
  };
}

function adapterOf(kept: Map<string, Kept>): Adapter {
  const find = async (id: string) => {
    const found = kept.get(id);
    return found !== undefined && found.until > Date.now() ? found.payload : undefined;
  };
  return {
    find,
    async upsert(id, payload, expiresInSeconds = Number.POSITIVE_INFINITY) {
      for (const [old, { until }] of kept) if (until <= Date.now()) kept.delete(old);
      kept.set(id, { payload, until: Date.now() + expiresInSeconds * 1000 });
    },
    async findByUid(uid) {
      for (const [id, { payload }] of kept) if (payload.uid === uid) return await find(id);
      return undefined;
    },
    // Only devices have user codes.
    findByUserCode: async () => undefined,
    async consume(id) {
      const found = await find(id);
      if (found) found.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      kept.delete(id);
    },
    async revokeByGrantId(grantId) {
      for (const [id, { payload }] of kept) if (payload.grantId === grantId) kept.delete(id);
    },
  };
}
