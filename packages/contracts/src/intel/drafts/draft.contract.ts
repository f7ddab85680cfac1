export * from './draft.api.ts';
export * from './draft.events.ts';
export * from './draft.schemas.ts';
