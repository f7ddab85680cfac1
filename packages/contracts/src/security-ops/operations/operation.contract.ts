export * from './operation.api.ts';
export * from './operation.events.ts';
export * from './operation.schemas.ts';
