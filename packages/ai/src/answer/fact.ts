import type { FactSource } from '@muster/contracts';

/** A fact of the twin as a question is answered from it. */
export interface AnswerFact {
  id: string;
  category: string;
  subject: string;
  predicate: string;
  value: unknown;
  statement: string;
  state: 'known' | 'unknown' | 'not_permitted' | 'not_licensed';
  confidence: number;
  sources: readonly FactSource[];
  last_seen?: string | null;
  valid_until?: string | null;
}

export interface AnswerInput {
  question: string;
  facts: readonly AnswerFact[];
  /** RFC 3339: a fact that was valid until before this is old. Without one none is. */
  as_of?: string;
}
