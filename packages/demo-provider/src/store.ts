import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Entry {
  payload: AdapterPayload;
  /** Milliseconds since the epoch. */
  until: number;
}

/**
 * Keeps a provider's sessions, codes and tokens in memory: what the library asks of an adapter.
 * @returns a maker of one adapter for each kind of thing
 */
export function memoryStore(): (kind: string) => Adapter {
  const kinds = new Map<string, Map<string, Entry>>();
  return (kind) => {
    const entries = kinds.get(kind) ?? new Map<string, Entry>();
    kinds.set(kind, entries);
    return adapterOf(entries);
  };
}

function adapterOf(entries: Map<string, Entry>): Adapter {
  const find = async (id: string) => {
    const found = entries.get(id);
    return found !== undefined && found.until > Date.now() ? found.payload : undefined;
  };
  return {
    find,
    async upsert(id, payload, expiresInSeconds = Number.POSITIVE_INFINITY) {
      for (const [old, { until }] of entries) if (until <= Date.now()) entries.delete(old);
      entries.set(id, { payload, until: Date.now() + expiresInSeconds * 1000 });
    },
    async findByUid(uid) {
      for (const [id, { payload }] of entries) if (payload.uid === uid) return await find(id);
      return undefined;
    },
    // Only devices have user codes.
    findByUserCode: async () => undefined,
    async consume(id) {
      const found = await find(id);
      if (found) found.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      entries.delete(id);
    },
    async revokeByGrantId(grantId) {
      for (const [id, { payload }] of entries) if (payload.grantId === grantId) entries.delete(id);
    },
  };
}
