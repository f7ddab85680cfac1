import { describe, expect, test } from '@jest/globals';
import { behavioursIn } from './behaviours.rules.ts';
import { sentencesOf } from './passages.rules.ts';
import { techniqueIdsIn, techniqueNamesIn } from './techniques.rules.ts';

const passages = (text: string) => sentencesOf(text, [{ start: 0, end: text.length }]);
const ids = (text: string) => techniqueIdsIn(text).map(({ value }) => value);
const names = (text: string) => techniqueNamesIn(text, passages(text)).map(({ value }) => value);
const deeds = (text: string) => behavioursIn(passages(text), []).map(({ value }) => value);

test('by id, what was revoked as what took its place', () => {
  expect(ids('They used T1059.001, T1566/001 and T1086; T9999 and XT1059 are none.')).toEqual([
    'T1059.001',
    'T1566.001',
    'T1059.001',
  ]);
});

describe('by name', () => {
  test.each([
    ['They used password spraying against the portal.', ['T1110.003']],
    ['Process Hollowing hides the loader.', ['T1055.012']],
    ['The intruders ran web shells on the server.', ['T1505.003']],
    ['A scheduled task starts it.', ['T1053.005']],
    ['Valid Accounts were used.', ['T1078']],
    ['Kerberoasting followed.', ['T1558.003']],
    ['Spearphishing attachments were sent.', ['T1566.001']],
    ['Acquire Infrastructure: Domains (T1583.001) is a technique of theirs.', ['T1583', 'T1583.001']],
  ])('%j', (text, wanted) => {
    expect(names(text)).toEqual(wanted);
  });

  test.each([
    'The tool needs software and hardware, a server and a proxy at the domain.',
    'Email accounts and web services need a restart of the remote services.',
    'We ran vulnerability reports, and credentials of DNS servers changed.',
    'Organizations should watch for password spraying.',
    'Block process hollowing with an endpoint product.',
    'Malware, exploits and tools are sold there.',
  ])('not in %j', (text) => {
    expect(names(text)).toEqual([]);
  });
});

describe('by what is described', () => {
  test.each([
    ['Before that they deleted the shadow copies.', 'T1490'],
    ['They dumped LSASS memory and moved laterally over RDP.', 'T1003.001'],
    ['The group moved laterally over RDP.', 'T1021.001'],
    ['The attackers disabled Microsoft Defender on all hosts.', 'T1562.001'],
    ['The ransomware encrypted files on the servers.', 'T1486'],
    ['They called the help desk and posed as employees.', 'T1566.004'],
    ['Data was copied out with Rclone to a cloud.', 'T1567.002'],
  ])('%j is %s', (text, wanted) => {
    expect(deeds(text)).toContain(wanted);
  });

  test.each([
    'They did not delete the shadow copies.',
    'Organizations should disable Microsoft Defender exclusions.',
    'Monitor for deleted shadow copies.',
    'The archive holds an encrypted file.',
    'The vendor encrypted traffic between its offices long ago.',
  ])('nothing in %j', (text) => {
    expect(deeds(text)).toEqual([]);
  });
});
