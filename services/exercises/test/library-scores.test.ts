import { expect, test } from '@jest/globals';
import { keywordsOf, readDecision } from '@muster/ai';
import { library } from '../src/scenarios/library.service.ts';

const actions = library.flatMap(({ filename, content }) =>
  content.injects.flatMap(({ id, expected_actions }) =>
    expected_actions.map((action) => ({
      name: `${filename} ${id} ${action.id}`,
      action,
      others: expected_actions.filter((other) => other.id !== action.id),
    })),
  ),
);
const shows = (text: string, keywords: readonly string[]) =>
  readDecision(text).showing(keywordsOf(keywords)) !== null;

// A table that decides what the author expects, in the author's words, must be credited, and with nothing else.
test.each(actions)(
  '$name is shown by its own text, and no other action of its inject is',
  ({ action, others }) => {
    expect(shows(action.text, action.keywords)).toBe(true);
    expect(others.filter((other) => shows(action.text, other.keywords)).map(({ id }) => id)).toEqual([]);
  },
);
