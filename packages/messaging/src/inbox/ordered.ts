/** Hands in an item; resolves when it was taken care of. */
export type Ordered<Item> = (key: string, item: Item) => Promise<void>;

/**
 * Items with the same key are worked on one after the other, in the order they came, and together those that came
 * while others were under way; items with other keys side by side.
 * @param most how many are taken together
 * @param work never rejects
 */
export function createOrdered<Item>(
  most: number,
  work: (items: readonly Item[]) => Promise<void>,
): Ordered<Item> {
  const lines = new Map<string, { item: Item; done: () => void }[]>();

  async function follow(key: string, line: { item: Item; done: () => void }[]): Promise<void> {
    for (let next = line.splice(0, most); next.length > 0; next = line.splice(0, most)) {
      await work(next.map(({ item }) => item));
      for (const { done } of next) done();
    }
    lines.delete(key);
  }

  return (key, item) =>
    new Promise((done) => {
      const line = lines.get(key);
      if (line) {
        line.push({ item, done });
        return;
      }
      const begun = [{ item, done }];
      lines.set(key, begun);
      void follow(key, begun);
    });
}
