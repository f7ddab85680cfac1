import { describe, expect, test } from '@jest/globals';
import { answerContent } from '@muster/contracts';
import fc from 'fast-check';
import { answerProblems } from './answer.job.ts';
import { answerByRules } from './answer.rules.ts';
import type { AnswerFact } from './fact.ts';

const AT = '2026-03-01T09:30:00.000Z';
function fact(id: string, statement: string, fields: Partial<AnswerFact> = {}): AnswerFact {
  return {
    id,
    category: 'identity',
    subject: id,
    predicate: 'is',
    value: null,
    statement,
    state: 'known',
    confidence: 0.9,
    sources: [{ kind: 'connector', ref: 'idp-a', at: AT }],
    ...fields,
  };
}
const facts = [
  fact('admins', '3 administrators have no second factor.', { subject: 'administrators', value: 3 }),
  fact('guests', '41 guest accounts exist.', { subject: 'guest accounts', value: 41 }),
  fact('backup', 'The backup system is not in the domain.', {
    category: 'technology',
    subject: 'backup system',
    value: false,
  }),
  fact('exercise', 'The last exercise was on 2026-02-11 and scored 72.', {
    category: 'exercise',
    subject: 'last exercise',
    value: 72,
  }),
  fact('owner', 'The payment system is owned by the head of finance.', {
    category: 'people',
    subject: 'payment system',
  }),
  fact('devices', 'Device compliance is not readable.', {
    subject: 'device compliance',
    state: 'not_permitted',
  }),
];
const ask = (question: string, given = facts, as_of?: string) =>
  answerByRules({ question, facts: given, ...(as_of && { as_of }) });

describe('a question that facts answer', () => {
  test.each([
    ['How many admins have no second factor?', 'admins', 'count'],
    ['How many guests are there?', 'guests', 'count'],
    ['Who owns the payment system?', 'owner', 'who'],
    ['When was the last exercise?', 'exercise', 'when'],
    ['Is the backup system in the domain?', 'backup', 'yes_no'],
  ])('%s', (question, id, intent) => {
    const { citations, answer, ...rest } = ask(question);
    expect(rest).toMatchObject({ intent });
    expect(rest.confidence).toBeGreaterThan(0.5);
    expect(citations).toEqual([
      { fact_id: id, statement: expect.any(String), source: { kind: 'connector', ref: 'idp-a', at: AT } },
    ]);
    expect(answer).toContain(citations[0]?.statement);
  });

  test('with a number gives it as data; with yes or no says so', () => {
    expect(ask('How many guests are there?').data).toEqual({ count: 41, items: [] });
    expect(ask('Is the backup system in the domain?').answer).toMatch(/^No\. /);
  });

  test('by several counts and cites them all', () => {
    const roles = ['Ann', 'Bea', 'Cid'].map((name) =>
      fact(name, `${name} holds the role of global administrator.`, {
        subject: name,
        predicate: 'holds role',
      }),
    );
    const { answer, citations, data } = ask('How many people hold the role of global administrator?', [
      ...facts,
      ...roles,
    ]);
    expect(answer).toMatch(/^3: Ann, Bea and Cid\./);
    expect(citations).toHaveLength(3);
    expect(data).toEqual({ count: 3, items: ['Ann', 'Bea', 'Cid'] });
  });

  test('with sources that disagree says so, and is less sure', () => {
    const torn = fact('guests2', '12 guest accounts exist.', { subject: 'guest accounts', value: 12 });
    const { answer, confidence } = ask('How many guest accounts exist?', [...facts, torn]);
    expect(answer).toContain('Sources disagree on guest accounts');
    expect(confidence).toBeLessThan(0.5);
  });

  test('that are old says so, and is less sure', () => {
    const old = [fact('admins', '3 administrators have no second factor.', { valid_until: AT })];
    const { answer, confidence } = ask(
      'How many administrators have no second factor?',
      old,
      '2026-04-01T00:00:00.000Z',
    );
    expect(answer).toContain('old');
    expect(confidence).toBeLessThan(0.5);
  });
});

describe('a question that facts do not answer', () => {
  test.each([
    ['How many firewalls run in Singapore?', /connector/],
    ['Which users approved the merger?', /identity provider/],
    ['What is the weather?', /What would be needed/],
    ['What is the device compliance?', /not permitted/],
    ['???', /What would be needed/],
    ['', /What would be needed/],
  ])('%s', (question, needed) => {
    const { answer, ...rest } = ask(question);
    expect(rest).toEqual({ intent: 'unknown', confidence: 0, citations: [], follow_ups: [] });
    expect(answer).toMatch(needed);
  });

  test('for want of any fact', () => {
    expect(ask('Who owns the payment system?', []).confidence).toBe(0);
  });
});

test('any question is answered within the schema, from facts alone, the same every time', () => {
  const words = fc.constantFrom(
    'how',
    'many',
    'guest',
    'accounts',
    'backup',
    'system',
    'exercise',
    '数',
    '\u0000',
    '$where',
    '42',
  );
  const questions = fc.oneof(
    fc.array(words, { maxLength: 8 }).map((all) => all.join(' ')),
    fc.string({ unit: 'binary' }),
  );
  const texts = fc.string({ unit: 'binary', maxLength: 100 });
  const given = fc.array(
    fc.record({
      id: fc.uuid(),
      category: texts,
      subject: texts,
      predicate: texts,
      value: fc.jsonValue(),
      statement: fc.oneof(texts, fc.constantFrom(...facts.map(({ statement }) => statement))),
      state: fc.constantFrom('known' as const, 'unknown' as const, 'not_licensed' as const),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      sources: fc.constant([]),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(questions, given, (question, some) => {
      const input = { question, facts: some };
      const { data, ...written } = answerContent.parse(answerByRules(input));
      expect(answerProblems(written, input).filter((problem) => !problem.includes('the number'))).toEqual([]);
      expect(answerByRules(structuredClone(input))).toEqual(answerByRules(input));
    }),
    { numRuns: 200 },
  );
});

describe("a model's answer is refused where it", () => {
  const input = { question: 'How many guests are there?', facts };
  const good = { ...ask(input.question), data: undefined };

  test('is good: it is not', () => {
    expect(answerProblems(good, input)).toEqual([]);
  });

  test.each([
    [
      'cites a foreign fact',
      { citations: [{ fact_id: 'x', statement: 'y', source: null }] },
      /no known fact/,
    ],
    [
      'cites a fact that is not known',
      { citations: [{ fact_id: 'devices', statement: 'y', source: null }] },
      /no known fact/,
    ],
    [
      'changes a statement',
      { citations: good.citations.map((one) => ({ ...one, statement: '41 guests, all admins' })) },
      /not as the fact/,
    ],
    ['cites nothing', { citations: [] }, /cites/],
    ['invents a number', { answer: 'There are 97 guest accounts.' }, /number 97/],
    ['is sure of nothing and cites', { confidence: 0 }, /confidence/],
    ['adds data', { data: { url: 'https://evil.example' } }, /leave it out/],
  ])('%s', (_name, fields, problem) => {
    expect(answerProblems({ ...good, ...fields }, input).join('\n')).toMatch(problem);
  });
});
