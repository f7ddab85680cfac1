import { describe, expect, test } from '@jest/globals';
import { actorNamed, namesIn, softwareNamed } from './names.rules.ts';
import { newNamesIn } from './new-name.rules.ts';
import { sentencesOf } from './passages.rules.ts';

const passages = (text: string) => sentencesOf(text, [{ start: 0, end: text.length }]);
function found(text: string): string[] {
  const sentences = passages(text);
  const names = namesIn(text, sentences);
  const known = new Set(names.map(({ start, end }) => text.slice(start, end).toLowerCase()));
  return [
    ...new Set(
      [...names, ...newNamesIn(text, sentences, known)].map(({ kind, value }) => `${kind} ${value}`),
    ),
  ];
}

describe('names', () => {
  test.each([
    ['APT28 is behind it.', ['actor APT28']],
    ['Fancy Bear, also known as Forest Blizzard, is behind it.', ['actor APT28']],
    ['They ran Mimikatz and Cobalt Strike.', ['tool Mimikatz', 'malware Cobalt Strike']],
    ['The Play ransomware group is behind it.', ['actor Play']],
    ['They deployed Royal ransomware and Cuba ransomware.', ['malware Royal', 'malware Cuba']],
    ['Emotet dropped TrickBot.', ['malware Emotet', 'malware TrickBot']],
    ['The software S0002 was used by G0007.', ['tool Mimikatz', 'actor APT28']],
    ['UNC5221 and Storm-1811 are tracked, TA577 too.', ['actor UNC5221', 'actor TA577']],
    ['The first Fog ransomware note appeared. The Fog ransomware group grew.', ['malware Fog']],
  ])('%j', (text, wanted) => {
    expect(found(text)).toEqual(expect.arrayContaining(wanted));
  });
});

describe('no names', () => {
  test.each([
    'They play at the net; silence is epic, and the page is royal.',
    'Hospitals in Cuba and Milan were calm; Kevin and James saw a flame.',
    'The .net and reg commands, at 17:00, and ping are part of Windows.',
    'Unlike APT28, they are slow.',
    'It was not attributed to Lazarus Group.',
    'The rest of the conti nent is calm.',
    'Windows ransomware is old. New ransomware is new. Windows ransomware stays.',
    'See https://news.site.org/emotet-returns for the ping and the route.',
  ])('%j', (text) => {
    expect(found(text)).toEqual([]);
  });
});

test('any alias leads to the canonical name, an unknown name to itself', () => {
  expect([actorNamed('fancy bear'), actorNamed(' Sofacy '), actorNamed('Nobody Knows')]).toEqual([
    'APT28',
    'APT28',
    'Nobody Knows',
  ]);
  expect(softwareNamed('sodinokibi')).toEqual({ kind: 'malware', value: 'REvil' });
  expect(softwareNamed('mimikatz')).toEqual({ kind: 'tool', value: 'Mimikatz' });
  expect(softwareNamed('Never Seen')).toEqual({ kind: 'malware', value: 'Never Seen' });
});
