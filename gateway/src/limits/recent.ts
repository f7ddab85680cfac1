/** Keeps the `max` entries that were used last. */
export function recentlyUsed<Value>(max: number) {
  const entries = new Map<string, Value>();

  function set(key: string, value: Value): void {
    entries.delete(key);
    entries.set(key, value);
    for (const [oldest] of entries) {
      if (entries.size <= max) return;
      entries.delete(oldest);
    }
  }

  return {
    set,
    get(key: string): Value | undefined {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    /** Takes an entry out; with `value` only if it is still that one. */
    drop(key: string, value?: Value): void {
      if (value === undefined || entries.get(key) === value) entries.delete(key);
    },
  };
}
