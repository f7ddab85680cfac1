export { ensureBrowser } from './browser/browser.ts';
export type { EngineName, EngineOptions } from './engines/engine.ts';
export { type Engines, startEngines } from './engines/engines.ts';
export { whenReady } from './engines/readiness.ts';
export { type FaultMode, type FaultProxy, faultProxy, targetOf, through } from './faults/fault-proxy.ts';
export { type TestEngines, testEngines } from './isolation/test-engines.ts';
export { freePort } from './ports/ports.ts';
export { type Child, spawnChild } from './processes/child.ts';
