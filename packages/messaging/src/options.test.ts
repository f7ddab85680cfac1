import { expect, test } from '@jest/globals';
import { defineEvent } from '@muster/contracts';
import { z } from 'zod';
import { consumer, jobKind } from '../test/declared.ts';
import { checkOptions, type MessagingOptions } from './options.ts';

const told = defineEvent({
  type: 'exercises.thing.told.v1',
  source: 'exercises',
  summary: 'A thing was told.',
  aggregate: 'thing',
  data: z.object({}),
  example: {},
});
const reaction = consumer(told, async () => undefined);
const work = jobKind({ kind: 'work', payload: z.object({}), run: async () => null });
const options = (more: Partial<MessagingOptions>) =>
  ({ catalogue: [told], consumers: [], jobs: [], ...more }) as unknown as MessagingOptions;

test('what could not work is refused with one line that names it', () => {
  expect(() => checkOptions(options({ consumers: [reaction], jobs: [work] }))).not.toThrow();
  expect(() => checkOptions(options({ catalogue: [], consumers: [reaction] }))).toThrow(
    'A consumer listens to exercises.thing.told.v1, which the catalogue does not declare',
  );
  expect(() => checkOptions(options({ consumers: [reaction, reaction] }))).toThrow(
    'exercises.thing.told.v1: two consumers',
  );
  expect(() => checkOptions(options({ jobs: [work, work] }))).toThrow('work: two kinds of job');
  expect(() => checkOptions(options({ jobs: [{ ...work, kind: 'Not:good' }] }))).toThrow('not Not:good');
});
