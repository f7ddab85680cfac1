import type { Engine, EngineName, EngineOptions, Place } from './engine.ts';
import { find } from './findings.ts';
import { readKeepers, rememberKeeper } from './keepers.ts';
import { type ClosableEngine, raise } from './raise.ts';
import { type Candidate, candidates, keeperOf } from './ways.rules.ts';

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
): Promise<ClosableEngine> {
  const since = Date.now();
  const former = readKeepers(place.dataDir)[name];
  const findings = await find(name, root, purpose, { keeper: former, stack: stack?.uri });
  const passed: Candidate[] = [];
  for (const candidate of candidates(name, findings)) {
    const engine = candidate.possible ? await tryWay(candidate) : undefined;
    if (engine !== undefined) return chosen(engine);
    passed.push(candidate);
  }
  const list = passed.map(({ way, reason }) => `  ${way.padEnd(10)} ${reason}`);
  throw new Error(`${name} cannot be had here:\n${list.join('\n')}`);

  async function tryWay(candidate: Candidate): Promise<ClosableEngine | undefined> {
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

  function chosen(engine: ClosableEngine): ClosableEngine {
    const keeper = keeperOf(engine.way);
    if (purpose === 'start' && keeper !== undefined) {
      if (former !== undefined && former !== keeper)
        report(`${name}: data of earlier starts stays with ${former}, unused`);
      rememberKeeper(place.dataDir, name, keeper);
    }
    const seconds = ((Date.now() - since) / 1000).toFixed(1);
    report(`${name.padEnd(9)} ${engine.detail} at ${new URL(engine.uri).host} (${engine.way}, ${seconds} s)`);
    return engine;
  }
}
