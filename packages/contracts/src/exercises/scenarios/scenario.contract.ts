export * from './scenario.api.ts';
export * from './scenario.events.ts';
export * from './scenario.references.ts';
export * from './scenario.schemas.ts';
