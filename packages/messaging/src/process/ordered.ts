/** Runs work with the same key one after the other, in the order it came; work with other keys side by side. */
export type Ordered = (key: string, work: () => Promise<void>) => Promise<void>;

/** The returned promise settles as the work does; a failure does not hold back what follows. */
export function createOrdered(): Ordered {
  const tails = new Map<string, Promise<void>>();
  return (key, work) => {
    const done = (tails.get(key) ?? Promise.resolve()).then(work);
    const tail = done
      .catch(() => undefined)
      .then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return done;
  };
}
