import type { AnswerContent } from '@muster/contracts';
import { meaningOf } from '../evidence/passages.rules.ts';

type Intent = AnswerContent['intent'];

export interface Question {
  intent: Intent;
  /** Stems of the words that say what is asked, each with those that mean the same. */
  terms: ReadonlySet<string>[];
}

const INTENTS: readonly { intent: Intent; opens: RegExp }[] = [
  { intent: 'count', opens: /\b(?:how many|how much|number of|count of|percentage|share of)\b/i },
  { intent: 'when', opens: /^\W*(?:when|since when|how long|how old)\b/i },
  { intent: 'who', opens: /^\W*(?:who|whose|whom)\b/i },
  { intent: 'list', opens: /^\W*(?:which|list|show|name|enumerate|what are)\b/i },
  { intent: 'yes_no', opens: /^\W*(?:is|are|am|do|does|did|has|have|had|can|could|was|were|will)\b/i },
];
/** Words of asking, not of what is asked. */
const QUESTION_WORDS = meaningOf(
  'how many much number count list show name enumerate tell give know known please currently today now organization company us there exist which what percentage share',
);
/** Words that people use for one another. */
const SYNONYMS: readonly ReadonlySet<string>[] = [
  'administrator admin privileged',
  'mfa multifactor factor authenticator',
  'user account people person employee',
  'gap weakness',
  'exercise session tabletop',
  'supplier vendor provider',
  'application app software system',
  'guest external',
  'owner responsible',
].map(meaningOf);

/** What a question asks for. */
export function readQuestion(question: string): Question {
  const intent = INTENTS.find(({ opens }) => opens.test(question))?.intent ?? 'describe';
  const stems = [...meaningOf(question)].filter((stem) => !QUESTION_WORDS.has(stem));
  return { intent, terms: stems.map((stem) => SYNONYMS.find((group) => group.has(stem)) ?? new Set([stem])) };
}
