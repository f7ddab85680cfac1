import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keywordsOf, readDecision } from './evidence.rules.ts';

const shows = (decision: string, ...keywords: string[]) =>
  readDecision(decision).showing(keywordsOf(keywords)) !== null;

describe('keywords', () => {
  test.each([
    ['isolate', 'Hosts isolated.', true],
    ['isolation', 'We are isolating hosts', true],
    ['ISOLATE', 'isolate', true],
    ['isolate', 'We watched.', false],
    ['isolate', '', false],
    ['isolate host', 'The hosts are isolated.', true],
    ['isolate host', 'We isolated the servers. The hosts run.', false],
    ['host', "The host's cable was pulled", true],
    ['ghost', 'The host is off', false],
    ['24/7', 'We watch it 24/7.', true],
    ['two-factor', 'Two factor login is on', true],
    ['10.0.0.5', 'Blocked 10.0.0.5 at the edge', true],
    ['svchost.exe', 'We killed svchost.exe on both', true],
    ['o365', 'We locked O365', true],
  ])('%p in %p: %p', (keyword, decision, shown) => {
    expect(shows(decision, keyword)).toBe(shown);
  });

  test('are alternatives', () => {
    expect(shows('We contained the host.', 'isolate', 'contain host')).toBe(true);
  });

  test('that are empty or without a word show nothing', () => {
    expect(shows('We isolated.')).toBe(false);
    expect(keywordsOf(['', ' ', '…', '!?'])).toEqual([]);
  });

  test('match words of other scripts whole, in any case and Unicode form', () => {
    expect(shows('Die Geräte wurden GETRENNT.', 'geräte getrennt')).toBe(true);
    expect(shows('Die Gera\u0308te sind aus', 'ger\u00e4te')).toBe(true);
    expect(shows('Die Straße', 'STRASSE')).toBe(true);
    expect(shows('Мы ИЗОЛИРОВАЛИ узлы', 'изолировали')).toBe(true);
    expect(shows('Απομονώσαμε τους κόμβους', 'ΚΌΜΒΟΥΣ')).toBe(true);
    expect(shows('我们立即隔离了主机。', '隔离')).toBe(true);
    expect(shows('Geräten', 'gerät')).toBe(false);
    expect(shows('ＩＳＯＬＡＴＥＤ the hosts', 'isolate')).toBe(true);
  });

  test.each([
    'Die Geräte wurden nicht getrennt.',
    'Wir haben keine Geräte getrennt',
    'Ohne dass Geräte getrennt wurden',
  ])('are denied in other languages too: %s', (decision) => {
    expect(shows(decision, 'getrennt')).toBe(false);
  });
});

describe('several words', () => {
  test.each([
    ['We isolated the hosts, not the servers', 'isolate host', true],
    ['We isolated the hosts, not the servers', 'isolate server', false],
    ['We isolated everything except the server', 'isolate server', false],
    ['Later we isolated the host', 'isolate host', true],
    ['We isolated the hosts, but it was not easy', 'isolate host', true],
    ['We isolated the hosts but did not inform legal', 'inform legal', false],
    ['We did not isolate the hosts and informed legal.', 'inform legal', true],
    ['We informed the press. Legal came later.', 'inform legal', false],
    ['The DPO was asked not to notify the regulator.', 'notify regulator', false],
    ['Nobody was against notifying the regulator, so it was done.', 'notify regulator', true],
    ['Decision: notify the regulator today, inform customers tomorrow.', 'notify regulator', true],
    ['Decision: notify the regulator today, inform customers tomorrow.', 'inform customer', false],
    ['If data has leaked, the regulator must be notified.', 'notify regulator', false],
    ['We left the notification of the regulator for later.', 'notification regulator', false],
    ['We did not want to wait any longer, so we notified the regulator.', 'notify regulator', true],
    ['Rather than wait, we notified the regulator.', 'notify regulator', true],
    ['Notify the regulator? Not now.', 'notify regulator', false],
    ['The password reset was discussed but not ordered.', 'reset password', false],
    ['We did not pay the ransom and reset all passwords.', 'reset password', true],
    ['We revoked the tokens without resetting passwords.', 'reset password', false],
    ['We called the bank and will call the police tomorrow.', 'call bank', true],
    ['We called the bank and will call the police tomorrow.', 'call police', false],
    ['The bank was called, but nobody answered.', 'call bank', true],
    ['The CFO phoned nobody else and called the bank.', 'call bank', true],
    ['We did not reboot, in order to preserve evidence.', 'preserve evidence', true],
    ['There was no time to preserve the evidence.', 'preserve evidence', false],
    ['Copy the logs to an account that the intruder cannot reach', 'copy log', true],
    ['- disable the account\n- do not tell the user', 'disable account', true],
    ['- do not disable the account\n- watch him', 'disable account', false],
    ['1. Account disabled\n2. Laptop not seized yet', 'disable account', true],
    ['1. Account disabled\n2. Laptop not seized yet', 'seize laptop', false],
    ['HR wanted to wait but we disabled the account.', 'disable account', true],
    ['HR did not allow us to disable the account.', 'disable account', false],
    ['We watch him and do not disable the account.', 'disable account', false],
    ['Since we can not undo it ourselves we call the bank.', 'call bank', true],
    ['All keys which could have been exposed were rotated.', 'rotate key', true],
    ['We rotate all keys that might be exposed.', 'rotate key', true],
    ['Customers are informed, once per day.', 'inform customer', true],
    ['Customers are informed that nothing is known yet.', 'inform customer', true],
    ['No customer is informed until legal has approved the text.', 'inform customer', false],
    ['Customers: to be informed tomorrow.', 'inform customer', false],
    ['We stopped him from copying more by disabling the account', 'disable account', true],
  ])('%s — %s: %p', (decision, keyword, shown) => {
    expect(shows(decision, keyword)).toBe(shown);
  });
});

describe('a cue that the keyword itself asks for', () => {
  test.each([
    ['We will not pay', 'do not pay', true],
    ["We won't pay the ransom", 'do not pay', true],
    ['We pay', 'do not pay', false],
    ['We refused to pay', 'refuse pay', true],
    ['We did not refuse to pay', 'refuse pay', false],
    ['We checked whether customer data was taken', 'check data', true],
    ['Decide with the owner whether and when the agent is stopped', 'decide agent', true],
    ['We discussed whether customer data was taken', 'take data', false],
    ['We considered the legal consequences', 'consider legal', true],
  ])('%s — %s: %p', (decision, keyword, shown) => {
    expect(shows(decision, keyword)).toBe(shown);
  });
});

describe('the quote', () => {
  const quote = (decision: string, keyword: string) => readDecision(decision).showing(keywordsOf([keyword]));

  test('is the first sentence that shows the action, as it was written', () => {
    const decision = 'We did not isolate.  Then:\n“We ISOLATED\u00a0both — at last”. Isolated.';
    expect(quote(decision, 'isolate')).toBe('We ISOLATED\u00a0both — at last');
  });

  test('of a long sentence is a part of it that holds the words, 300 characters at most', () => {
    const decision = `${'We looked again and again '.repeat(40)}then isolated ${'host after host '.repeat(40)}`;
    const found = quote(decision, 'isolate') ?? '';
    expect(found.startsWith('isolated host')).toBe(true);
    expect(found.length).toBeLessThanOrEqual(300);
    expect(decision).toContain(found);
  });

  test('of one endless word is cut', () => {
    expect(quote('x'.repeat(20_000), 'x'.repeat(20_000))?.length).toBe(300);
  });
});

describe('any text', () => {
  test('is read without an exception, and the quote stands in it', () => {
    const words = fc.constantFrom(
      'isolate',
      'not',
      'we',
      'if',
      'and',
      'or',
      ',',
      '.',
      '?',
      '\n',
      "n't",
      'was',
      'later',
      '\0',
      '—',
    );
    const texts = fc.oneof(
      fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes)),
      fc.array(words, { maxLength: 60 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(texts, fc.string(), (decision, keyword) => {
        const quote = readDecision(decision).showing(keywordsOf(['isolate', keyword]));
        expect(quote === null || decision.includes(quote)).toBe(true);
      }),
    );
  });

  test.each([
    'isolate\0d hosts',
    '\u202eisolated',
    'isolated\u200f',
    '\ufeffisolated',
    'iso\u00adlated',
    'isolated\u0007.',
  ])('with control characters is read around them: %j', (decision) => {
    expect(shows(decision, 'isolate')).toBe(true);
  });

  test.each([
    'not ',
    'isolate ',
    'not, isolate and ',
    'if isolate, ',
    "n't'",
    "'",
    '\n',
    '. ',
    'a',
    'y',
    'that isolate was not ',
    '没有隔离',
    '\u200d',
  ])('of 20 000 characters takes no longer for being repetitive: %j', (unit) => {
    const timeOf = (length: number) => {
      const text = `isolate not ${unit.repeat(length)}`.slice(0, length);
      const started = performance.now();
      readDecision(text).showing(keywordsOf(['isolate host', 'nothing else']));
      return performance.now() - started;
    };
    const best = (length: number) => Math.min(timeOf(length), timeOf(length), timeOf(length));
    const [once, eightTimes] = [Math.max(best(20_000), 5), best(160_000)];
    // Quadratic work would take 64 times as long.
    expect(eightTimes / once).toBeLessThan(40);
  });
});
