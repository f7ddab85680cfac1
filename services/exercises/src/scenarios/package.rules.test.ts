import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { library } from './library.service.ts';
import { readPackage, toPackage } from './package.rules.ts';
import { toScenario } from './scenario.model.ts';
import { contentHash } from './scenario.rules.ts';
import { scenarioDoc } from './scenario.service.ts';

const stored = library.map(({ filename, content }) =>
  toScenario({
    ...scenarioDoc(content, { filename, source: 'builtin', createdBy: 'Muster' }),
    org_id: 'an organization',
  }),
);
const anyStored = fc.constantFrom(...stored);
const asFile = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function problemsOf(value: unknown): string[] {
  const read = readPackage(value);
  return 'problems' in read ? read.problems.map(({ path }) => path) : [];
}

describe('an exercise package', () => {
  test('opens to the scenario that was packed, without what the server had set', () => {
    fc.assert(
      fc.property(anyStored, (scenario) => {
        const { source, content_hash, created_by, created_at, updated_at, ...authored } = scenario;
        const pack = toPackage(scenario);
        expect(pack).toMatchObject({ format: 'muster-exercise-package', version: 1, content_hash });
        expect(readPackage(asFile(pack))).toEqual({ upload: authored });
      }),
    );
  });

  test('opens whatever the order of its keys', () => {
    const [scenario] = stored;
    if (!scenario) throw new Error('the library is empty');
    const pack = toPackage(scenario);
    const turned = Object.fromEntries(Object.entries(pack.scenario).reverse());
    expect(readPackage({ ...pack, scenario: turned })).toEqual({ upload: pack.scenario });
  });

  test('is refused when anything an author writes was changed after packing', () => {
    const authored = fc.constantFrom('title', 'summary', 'roles', 'injects', 'threat', 'duration_minutes');
    fc.assert(
      fc.property(anyStored, authored, fc.jsonValue(), (scenario, field, value) => {
        const pack = toPackage(scenario);
        fc.pre(JSON.stringify(value) !== JSON.stringify(Reflect.get(pack.scenario, field)));
        const changed = { ...pack, scenario: { ...pack.scenario, [field]: value } };
        expect(problemsOf(asFile(changed))).toEqual(['/content_hash']);
      }),
    );
  });

  test.each<[string, unknown, string[]]>([
    ['nothing', null, ['/format']],
    ['a list', [], ['/format']],
    ['a bare scenario', stored[0], ['/format']],
    ['another format', { format: 'another', version: 1 }, ['/format']],
    ['a later version', { format: 'muster-exercise-package', version: 2 }, ['/version']],
    ['no scenario', { format: 'muster-exercise-package', version: 1 }, ['/content_hash']],
    [
      'a scenario that is a list',
      { format: 'muster-exercise-package', version: 1, content_hash: contentHash([]), scenario: [] },
      ['/content_hash'],
    ],
  ])('is refused when it is %s', (_, value, paths) => {
    expect(problemsOf(value)).toEqual(paths);
  });

  test('names what breaks the contract inside it, though its hash is right', () => {
    const scenario = { ...stored[0], duration_minutes: 1, roles: [] };
    const pack = {
      format: 'muster-exercise-package',
      version: 1,
      content_hash: contentHash(scenario),
      scenario,
    };
    expect(problemsOf(asFile(pack)).sort()).toEqual(['/scenario/duration_minutes', '/scenario/roles']);
  });
});
