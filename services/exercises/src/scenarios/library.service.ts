import { readFileSync } from 'node:fs';
import { type ScenarioContent, scenarioContent } from '@muster/contracts';
import { libraryFiles } from './library.model.ts';

export interface BuiltIn {
  filename: string;
  content: ScenarioContent;
}

/** Raises when a file does not follow the contract. */
function readLibrary(): BuiltIn[] {
  return libraryFiles().map((file) => {
    const { filename, ...content } = JSON.parse(readFileSync(file, 'utf8'));
    return { filename, content: scenarioContent.parse(content) };
  });
}

/** The scenarios that come with the product, read once. */
export const library: readonly BuiltIn[] = readLibrary();
