export * from './evaluation.api.ts';
export * from './evaluation.events.ts';
export * from './evaluation.schemas.ts';
