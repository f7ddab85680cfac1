export * from './change.events.ts';
export * from './change.schemas.ts';
