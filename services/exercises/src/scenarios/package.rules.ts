import type { ProblemDetail, Scenario, ScenarioContent } from '@muster/contracts';
import { contentHash } from './scenario.rules.ts';
import { readUpload, type Upload } from './upload.rules.ts';

const FORMAT = 'muster-exercise-package';
const VERSION = 1;

/** A whole exercise in one file, to be carried to another organization or installation. */
export interface ExercisePackage {
  format: typeof FORMAT;
  version: typeof VERSION;
  /** `contentHash` of the scenario as it stands in the package. */
  content_hash: string;
  scenario: ScenarioContent & { filename: string };
}

/** Packs a scenario: its filename and what its author wrote; who stored it here, and when, stays here. */
export function toPackage(scenario: Scenario): ExercisePackage {
  const { source, content_hash, created_by, created_at, updated_at, ...authored } = scenario;
  return { format: FORMAT, version: VERSION, content_hash: contentHash(authored), scenario: authored };
}

/**
 * Opens a package.
 * @param value what its file says, parsed
 * @returns the scenario, ready to be stored as an upload is (its references are still to be checked); or what is wrong:
 * not a package, one of another version, a scenario that does not fit its hash or breaks the contract
 */
export function readPackage(value: unknown): { upload: Upload } | { problems: ProblemDetail[] } {
  if (!isObject(value) || value.format !== FORMAT)
    return problem('/format', `This is no exercise package: its format is not "${FORMAT}".`);
  if (value.version !== VERSION)
    return problem(
      '/version',
      `Only packages of version ${VERSION} can be read: update Muster, or export again.`,
    );
  // Hashed as it stands: the contract of the day may fill in other defaults than that of the day of packing.
  if (!isObject(value.scenario) || value.content_hash !== contentHash(value.scenario))
    return problem('/content_hash', 'The package was changed after it was exported: export it again.');
  const scenario = readUpload(value.scenario);
  if ('upload' in scenario) return scenario;
  return { problems: scenario.problems.map(({ path, ...rest }) => ({ path: `/scenario${path}`, ...rest })) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const problem = (path: string, message: string) => ({ problems: [{ path, code: 'wrong_package', message }] });
