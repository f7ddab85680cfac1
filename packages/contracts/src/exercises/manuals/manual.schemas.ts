import { z } from 'zod';
import { scenarioFilename } from '../../core/primitives.ts';
import { scenarioExample, storedScenarioExample } from '../examples.ts';
import { scenarioContent } from '../scenarios/scenario.schemas.ts';

const packageExample = {
  format: 'muster-exercise-package',
  version: 1,
  content_hash: storedScenarioExample.content_hash,
  scenario: scenarioContent.extend({ filename: scenarioFilename }).parse(scenarioExample),
};

/** A whole exercise in one file, to be carried to another organization or installation. */
export const exercisePackage = z
  .object({
    format: z.literal('muster-exercise-package'),
    version: z.literal(1),
    /** Over the scenario as it stands in the package. */
    content_hash: z.string(),
    scenario: scenarioContent.extend({ filename: scenarioFilename }),
  })
  .meta({ id: 'ExercisePackage', example: packageExample });

/** A package as somebody sends it: what is wrong with it is told in the package's own terms. */
export const exercisePackageUpload = z
  .record(z.string(), z.unknown())
  .meta({ id: 'ExercisePackageUpload', example: packageExample });
