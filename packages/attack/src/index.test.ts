import { expect, test } from '@jest/globals';
import { ACTORS, SOFTWARE, TACTICS, TECHNIQUES, techniqueOf, withParents } from './index.ts';

test('every technique that is in use has tactics that there are', () => {
  const phases = TACTICS.map(({ phase }) => phase);
  const current = TECHNIQUES.filter(
    ({ replaced_by, domain }) => replaced_by === undefined && domain === undefined,
  );
  expect(current.length).toBeGreaterThan(600);
  for (const { tactics } of current) expect(phases).toEqual(expect.arrayContaining(tactics));
});

test('a revoked technique is what took its place, an ended or invented one is none', () => {
  expect(techniqueOf('T1086')).toMatchObject({ id: 'T1059.001', name: 'PowerShell' });
  expect(techniqueOf('T1486')?.name).toBe('Data Encrypted for Impact');
  expect(techniqueOf('T9999')).toBeUndefined();
  for (const { id } of TECHNIQUES) expect(techniqueOf(id)?.replaced_by).toBeUndefined();
});

test('a sub-technique comes with the one above, each once', () => {
  expect(withParents(['T1003.001', 'T1003', 'T1071'])).toEqual(['T1003.001', 'T1003', 'T1071']);
});

test('no id stands twice', () => {
  for (const rows of [TECHNIQUES, ACTORS, SOFTWARE, TACTICS])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});
