import { expect, test } from '@jest/globals';
import { scenarioPublished, scenarioRemoved, subscriptions, tokenUses } from '@muster/contracts';
import { type Reaction, type ReactionsTo, reaction, reactionsTo } from './reaction.ts';

const heard = subscriptions('exercises', { scenarioPublished, scenarioRemoved, tokenUses });
type Heard = (typeof heard)['events'];
type Compiles<Given> = Given extends ReactionsTo<Heard> ? true : false;

type Published = Reaction<typeof scenarioPublished>;
type Removed = Reaction<typeof scenarioRemoved>;
type Uses = Reaction<typeof tokenUses>;
interface All {
  scenarioPublished: [Published];
  scenarioRemoved: [Removed];
  tokenUses: [Uses];
}

test('reactions compile when there is one at least to each event, and to no other event', () => {
  const compiles: Compiles<All> = true;
  const several: Compiles<Omit<All, 'scenarioRemoved'> & { scenarioRemoved: [Removed, Removed] }> = true;
  const missing: Compiles<Omit<All, 'scenarioRemoved'>> = false;
  const none: Compiles<Omit<All, 'scenarioRemoved'> & { scenarioRemoved: [] }> = false;
  const mixedUp: Compiles<Omit<All, 'scenarioRemoved'> & { scenarioRemoved: [Published] }> = false;
  // No further name is known, so one that is written is refused as an excess property.
  const names: keyof Heard = 'tokenUses' as keyof ReactionsTo<Heard>;
  expect([compiles, several, missing, none, mixedUp, names]).toEqual([
    true,
    true,
    false,
    false,
    false,
    'tokenUses',
  ]);
});

test('one reaction hears all events of a kind that several services emit', () => {
  const { service, all } = reactionsTo(heard, {
    scenarioPublished: [reaction(scenarioPublished, async () => undefined, { name: 'shelf' })],
    scenarioRemoved: [reaction(scenarioRemoved, async () => undefined, { order: 'organization' })],
    tokenUses: [reaction(tokenUses, async () => undefined)],
  });
  expect(service).toBe('exercises');
  const consumers = all.flatMap((each) => each.bind({} as never));
  expect(consumers.slice(0, 2)).toMatchObject([
    { name: 'shelf', declaration: scenarioPublished, order: 'aggregate' },
    { name: scenarioRemoved.type, declaration: scenarioRemoved, order: 'organization' },
  ]);
  const uses = consumers.slice(2);
  expect(uses.map(({ declaration }) => declaration)).toEqual(tokenUses);
  expect(uses.map(({ name }) => name)).toEqual(tokenUses.map(({ type }) => type));
});
