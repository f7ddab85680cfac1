/**
 * What a cue does to the actions it reaches. One that `negates` or `doubts` keeps them from counting; one that
 * `reverses` does so too, but makes up for a negation: "did not hesitate to isolate".
 */
export type Turn = 'negates' | 'reverses' | 'doubts';

export interface CueRow {
  /** Separated by commas; words are matched by stem, `…` stands for up to four words. */
  phrases: string;
  turn: Turn;
  /**
   * How far it reaches forward: `verbs` to the end of its clause and over coordinated verbs; `nouns` over a noun phrase
   * or gerund and those coordinated with it; `next` the next word only.
   */
  ahead: 'verbs' | 'nouns' | 'next' | 'none';
  /** What it reaches backward: its `subject`; the `object` word before it; all that is still `undone` in its clause. */
  behind: 'subject' | 'object' | 'undone' | 'clause' | 'none';
  /** What ends its reach within a clause: a new subject, also a finite auxiliary, also a past form. */
  until: 'subject' | 'auxiliary' | 'past' | 'clause';
  /** A verb: after an article, or after "as", the same word is a noun or an aside. */
  verb?: true;
  /** An auxiliary before a bare verb: it says nothing of a past form, as in "can see isolated hosts". */
  modal?: true;
  /** It opens an indirect question, which belongs to the verb that asks: "check whether backups exist". */
  asks?: true;
}

export const CUES: readonly CueRow[] = [
  // Not.
  {
    phrases: 'not, never, hardly, barely, scarcely, rarely, seldom, no longer',
    turn: 'negates',
    ahead: 'verbs',
    behind: 'subject',
    until: 'clause',
  },
  // Nobody and nothing.
  {
    phrases: 'nobody, no one, none, nothing, nowhere, neither, nor',
    turn: 'negates',
    ahead: 'verbs',
    behind: 'object',
    until: 'subject',
  },
  // Never, as a phrase.
  {
    phrases:
      'at no point, at no time, in no case, in no way, under no circumstances, on no account, by no means',
    turn: 'negates',
    ahead: 'verbs',
    behind: 'none',
    until: 'clause',
  },
  // No thing, no deed.
  { phrases: 'no', turn: 'negates', ahead: 'nouns', behind: 'object', until: 'auxiliary' },
  // The plain negations of other languages; word order differs, so the whole clause is meant.
  {
    phrases:
      'nicht, kein, keine, keinen, keiner, keinem, nie, niemals, ohne, pas, jamais, aucun, aucune, ' +
      'nunca, jamás, ningún, niet, geen, nooit, não, nem, не, нет, 没, 没有, 不, 未',
    turn: 'negates',
    ahead: 'verbs',
    behind: 'clause',
    until: 'clause',
  },
  // In place of the deed.
  {
    phrases:
      'without, instead of, rather than, in place of, in lieu of, as opposed to, absence of, anything ' +
      'but, except, far from',
    turn: 'reverses',
    ahead: 'nouns',
    behind: 'none',
    until: 'past',
  },
  // Refused, put off, left out: as verbs.
  {
    phrases:
      'refuse, decline, reject, decided … against, voted against, argued … against, advised … against, ' +
      'opted against, chose against, missed, overlooked, oppose, =objected, =objecting, veto, overrule, ' +
      'forbid, forbade, forbidden, prohibit, abandon, cancel, avoid, skip, omit, forget, forgot, ' +
      'forgotten, neglect, fail to, failed, postpone, defer, delay, put … off, hold off, held off, put … ' +
      'on hold, wait, await, rule … out, turned … down, vote … down, call … off, refrain from, abstain ' +
      'from, drop the idea',
    turn: 'reverses',
    ahead: 'nouns',
    behind: 'subject',
    until: 'subject',
    verb: true,
  },
  // Prevented or unwanted: as phrases.
  {
    phrases:
      'stop … from, prevent … from, keep … from, kept … from, hinder … from, dissuade … from, ' +
      'hesitate, lack, refusal, failure to, reluctant, unwilling, unable to, impossible, ' +
      'unnecessary, premature, out of the question, off the table, too risky, too early, too dangerous, ' +
      'too disruptive, too costly, too expensive, too late to, stop short of, no option, no solution, ' +
      'make no sense, left undone, left open, left out, were against, was against, are against',
    turn: 'reverses',
    ahead: 'nouns',
    behind: 'subject',
    until: 'subject',
  },
  // Thought of, proposed, wanted, attempted.
  {
    phrases:
      'consider, contemplate, discuss, debate, ponder, =weigh, =weighed, =weighing, propose, suggest, ' +
      'recommend, think about, think of, thought about, thought of, talk about, toyed with, intend to, ' +
      'plan to, plan on, want to, would like to, try to, tried to, trying to, tries to, attempt to, ' +
      'attempted, supposed to, meant to, about to, came close to, prepare to, ready to, yet to, option',
    turn: 'doubts',
    ahead: 'nouns',
    behind: 'subject',
    until: 'subject',
    verb: true,
  },
  // Wished for, or open.
  {
    phrases:
      'wish, hope, under consideration, under discussion, wonder, unsure, undecided, unclear, uncertain, ' +
      'pending, todo, tbd, perhaps, maybe, possibly, probably',
    turn: 'doubts',
    ahead: 'verbs',
    behind: 'subject',
    until: 'clause',
  },
  // An indirect question.
  {
    phrases: 'whether, if',
    turn: 'doubts',
    ahead: 'verbs',
    behind: 'none',
    until: 'clause',
    asks: true,
  },
  // What was not, but might have been.
  {
    phrases: 'should have, would have, ought to have',
    turn: 'doubts',
    ahead: 'verbs',
    behind: 'subject',
    until: 'subject',
  },
  // Possible.
  {
    phrases: 'could, might, =may, =can',
    turn: 'doubts',
    ahead: 'verbs',
    behind: 'subject',
    until: 'subject',
    modal: true,
  },
  // All but done.
  { phrases: 'almost, nearly', turn: 'doubts', ahead: 'next', behind: 'none', until: 'clause' },
  // Another time.
  {
    phrases:
      'tomorrow, later, eventually, someday, next day, next week, next month, next morning, next ' +
      'quarter, next shift, next year, at some point, in the future, some other time',
    turn: 'doubts',
    ahead: 'verbs',
    behind: 'undone',
    until: 'clause',
  },
];

/** Phrases whose words are no cues. */
export const IDIOMS =
  'not only, not just, not merely, not simply, not least, not later, not tomorrow, not until, not a ' +
  'moment, no doubt, no question, no later, no sooner, no matter, no problem, no problems, no ' +
  'wonder, no delay, no exception, no less than, no fewer than, no time to lose, no time to waste, ' +
  'in no time, never mind, without delay, without any delay, without further delay, without undue ' +
  'delay, without more delay, without hesitation, without hesitating, without any hesitation, ' +
  'without doubt, without question, without exception, without fail, without further ado, sooner ' +
  'than later, minutes later, minute later, hours later, hour later, even if, even though, as if, if ' +
  'possible, if any, if not all, can confirm, can report';
