/** Runs in a thread: answers, raises, never ends, or takes all the memory it gets. */
export default function busy(what: 'answer' | 'raise' | 'for ever' | 'memory'): string {
  if (what === 'raise') throw new Error('as it was asked to');
  const held: number[][] = [];
  while (what === 'for ever' || what === 'memory')
    if (what === 'memory') held.push(new Array<number>(1_000_000).fill(held.length));
  return what;
}
