import type { Engine, EngineName, Place } from './engine.ts';
import type { EngineOptions } from './engines.ts';
import { find } from './findings.ts';
import { readKept, rememberKept } from './kept.ts';
import { type Raised, raise } from './raise.ts';
import { type Candidate, candidates, keeping } from './ways.rules.ts';

/**
 * Brings one engine up by the first way that works, and says which in one line.
 * @param stack the engine in a stack of this checkout that runs
 * @throws Error listing every way and why it is not taken
 */
export async function attempt(
  name: EngineName,
  { root, purpose, report }: EngineOptions,
  place: Place,
  stack?: Engine,
): Promise<Raised> {
  const since = Date.now();
  const kept = readKept(place.dataDir)[name];
  const findings = await find(name, root, purpose, { kept, stack: stack?.uri });
  const passed: Candidate[] = [];
  for (const candidate of candidates(name, findings)) {
    const engine = candidate.possible ? await tryWay(candidate) : undefined;
    if (engine !== undefined) return chosen(engine);
    passed.push(candidate);
  }
  const list = passed.map(({ way, reason }) => `  ${way.padEnd(10)} ${reason}`);
  throw new Error(`${name} cannot be had here:\n${list.join('\n')}`);

  async function tryWay(candidate: Candidate): Promise<Raised | undefined> {
    const { way } = candidate;
    try {
      return await raise({ engine: name, way, findings, root, purpose, place, stack });
    } catch (error) {
      // An engine that was given on purpose must not be replaced silently by another.
      if (way === 'url') throw error;
      candidate.reason = (error as Error).message;
      report(`${name}: ${way} does not work: ${candidate.reason}`);
      return undefined;
    }
  }

  function chosen(engine: Raised): Raised {
    const keeper = keeping(engine.way);
    if (purpose === 'start' && keeper !== undefined) {
      if (kept !== undefined && kept !== keeper)
        report(`${name}: data of earlier starts stays with ${kept}, unused`);
      rememberKept(place.dataDir, name, keeper);
    }
    const seconds = ((Date.now() - since) / 1000).toFixed(1);
    report(`${name.padEnd(9)} ${engine.detail} at ${new URL(engine.uri).host} (${engine.way}, ${seconds} s)`);
    return engine;
  }
}
